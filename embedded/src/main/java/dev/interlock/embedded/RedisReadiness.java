// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import dev.interlock.embedded.RedisServer.Role;
import java.io.IOException;

/**
 * Tells when a redis-server that was just started can be used, and gives all slots to the only node of a new cluster.
 *
 * @param port where it should listen
 * @param role what it is
 */
record RedisReadiness(int port, Role role) {
    /** Whether the process {@code pid}, and no other server on this port, answers. */
    boolean isReady(long pid) {
        try {
            String info = Resp.ask(port, "INFO");
            if (info.startsWith("-NOAUTH")) {
                return true; // up, but with a password that only the caller's client knows
            }
            // While it still reads its files it answers INFO, but refuses almost all else.
            boolean up = info.contains("process_id:" + pid + "\r\n") && !info.contains("\r\nloading:1\r\n");
            return up && (role != Role.CLUSTER_OF_ONE || ownsAllSlots());
        } catch (IOException e) {
            return false;
        }
    }

    private boolean ownsAllSlots() throws IOException {
        String info = Resp.ask(port, "CLUSTER INFO");
        if (info.contains("cluster_slots_assigned:0\r\n")) {
            Resp.ask(port, "CLUSTER ADDSLOTSRANGE 0 16383");
        }
        return info.contains("cluster_state:ok\r\n");
    }
}
