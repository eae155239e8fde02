// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/** Choice of loopback ports for servers that must be told their port. */
final class Ports {
    /** Below the ports that Linux and macOS give to outgoing connections: none of these takes the port of a killed server. */
    private static final int FIRST = 10_240;

    private static final int END = 32_768;
    private static final int PROBES = 1_000;
    private static final int TRIES = 5;

    private Ports() {}

    static int free() {
        for (int probe = 0; probe < PROBES; probe++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // Another one, then.
            }
        }
        throw new IllegalStateException("No free port on 127.0.0.1 from " + FIRST + " to " + (END - 1));
    }

    static int checked(int port) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port must be from 1 to 65535, was " + port);
        }
        return port;
    }

    /**
     * Starts a server on {@code port}, or on a free one if that is 0: with another one again if somebody else took it
     * meanwhile, as {@code taken} tells from the failure's message.
     */
    static <T> T start(int port, IntFunction<T> server, Predicate<String> taken) {
        for (int attempt = 1; port == 0 && attempt < TRIES; attempt++) {
            try {
                return server.apply(free());
            } catch (IllegalStateException e) {
                if (!taken.test(String.valueOf(e.getMessage()))) {
                    throw e;
                }
            }
        }
        return server.apply(port == 0 ? free() : port);
    }
}
