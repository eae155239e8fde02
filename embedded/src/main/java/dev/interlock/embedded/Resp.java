// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Just enough of the Redis protocol to ask a server how it is: one command per connection, read as text. */
final class Resp {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private static final String NIL = "$-1";

    private Resp() {}

    /**
     * The reply to one inline command: a status or error with its sign ({@code +PONG}, {@code -NOAUTH ...}), or the text
     * of a bulk string, {@code $-1} for none.
     */
    static String ask(int port, String command) throws IOException {
        try (Socket socket = new Socket()) {
            int millis = (int) TIMEOUT.toMillis();
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            String head = in.readLine();
            if (head == null) {
                throw new IOException("Redis closed the connection");
            }
            if (!head.startsWith("$") || head.equals(NIL)) {
                return head;
            }
            char[] body = new char[Integer.parseInt(head.substring(1))];
            int length = 0;
            while (length < body.length) {
                int read = in.read(body, length, body.length - length);
                if (read < 0) {
                    throw new IOException("Redis closed the connection within a reply");
                }
                length += read;
            }
            return new String(body);
        }
    }
}
