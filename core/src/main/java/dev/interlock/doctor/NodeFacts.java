// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import java.util.Map;
import java.util.Optional;

/**
 * What a master told about itself; what was denied or did not come is empty.
 *
 * @param node its address
 * @param info the lines of INFO
 * @param user as whom we are logged in
 * @param openDefault whether the user {@code default} is enabled and needs no password
 */
record NodeFacts(String node, Map<String, String> info, Optional<String> user, Optional<Boolean> openDefault) {
    Optional<String> text(String field) {
        return Optional.ofNullable(info.get(field));
    }

    long number(String field) {
        return text(field)
                .filter(value -> value.matches("\\d{1,18}"))
                .map(Long::parseLong)
                .orElse(0L);
    }

    boolean isValkey() {
        return info.containsKey("valkey_version");
    }
}
