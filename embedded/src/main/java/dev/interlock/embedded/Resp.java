// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Just enough of the Redis protocol to ask a server how it is and to form a cluster: one command per connection. Text is
 * read and written as ISO 8859-1, so that the bytes of keys pass unchanged.
 */
final class Resp {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final String NIL = "$-1";

    private Resp() {}

    /**
     * The reply to one command whose words hold no blanks: a status, number or error with its sign ({@code +PONG},
     * {@code :1}, {@code -NOAUTH ...}), the text of a bulk string ({@code $-1} for none), or the elements of an array, one
     * per line.
     */
    static String ask(int port, String command) throws IOException {
        return String.join("\n", call(port, command.split(" ", -1)));
    }

    /** The reply to one command; more than one element for an array only, nested ones flattened. */
    static List<String> call(int port, String... words) throws IOException {
        try (Socket socket = new Socket()) {
            int millis = (int) TIMEOUT.toMillis();
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
            socket.setSoTimeout(millis);
            StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
            for (String word : words) {
                request.append('$')
                        .append(word.length())
                        .append("\r\n")
                        .append(word)
                        .append("\r\n");
            }
            socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
            List<String> reply = new ArrayList<>();
            read(new BufferedInputStream(socket.getInputStream()), reply);
            return reply;
        }
    }

    private static void read(InputStream in, List<String> reply) throws IOException {
        String head = line(in);
        if (head.startsWith("*")) {
            for (int left = Integer.parseInt(head.substring(1)); left > 0; left--) {
                read(in, reply);
            }
        } else if (head.startsWith("$") && !head.equals(NIL)) {
            int length = Integer.parseInt(head.substring(1));
            byte[] body = in.readNBytes(length);
            if (body.length < length) {
                throw new IOException("Redis closed the connection within a reply");
            }
            reply.add(new String(body, StandardCharsets.ISO_8859_1));
            line(in);
        } else {
            reply.add(head);
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("Redis closed the connection");
            }
            line.append((char) next);
        }
        return line.substring(0, Math.max(0, line.length() - 1));
    }
}
