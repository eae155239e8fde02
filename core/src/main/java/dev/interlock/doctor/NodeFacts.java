// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import java.util.Map;
import java.util.Optional;

/**
 * What one server said. A part that it refused to tell is empty.
 *
 * @param node its address
 * @param info all fields of {@code INFO}
 * @param config the settings that were asked for
 * @param user name of the Redis user
 * @param cluster all fields of {@code CLUSTER INFO}; empty also if it is no cluster
 * @param clockOffsetMillis its clock minus ours, to half a round trip
 * @param scriptsMissing how many of Interlock's scripts it does not hold now
 * @param tracking why client tracking does not work; empty if it works
 */
record NodeFacts(
        String node,
        Map<String, String> info,
        Optional<Map<String, String>> config,
        Optional<String> user,
        Map<String, String> cluster,
        Optional<Long> clockOffsetMillis,
        Optional<Integer> scriptsMissing,
        Optional<String> tracking) {
    String info(String field) {
        return info.getOrDefault(field, "");
    }

    long number(String field) {
        String text = info(field);
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }
}
