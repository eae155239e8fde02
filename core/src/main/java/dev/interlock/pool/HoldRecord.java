// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Instant;

/** What Redis keeps of a hold: "status TAB token TAB quantity TAB deadline TAB sequence TAB user TAB request". */
record HoldRecord(Hold.Status status, String token, long quantity, Instant deadline, String userId) {
    static HoldRecord parse(String text) {
        String[] parts = text.split("\t", 7);
        Hold.Status status = switch (parts[0]) {
            case "H" -> Hold.Status.HELD;
            case "C" -> Hold.Status.CONFIRMED;
            case "X" -> Hold.Status.CANCELLED;
            case "E" -> Hold.Status.EXPIRED;
            default -> throw new IllegalStateException("a hold has the unknown status " + parts[0]);
        };
        return new HoldRecord(
                status, parts[1], Long.parseLong(parts[2]), Times.instant(Long.parseLong(parts[3])), parts[5]);
    }

    Hold toHold(HoldId id) {
        return new Hold(id.toString(), userId, quantity, deadline, status);
    }
}
