// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Sends bytes that no HTTP client would send, and reads what comes back. */
final class RawHttp implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 15_000;

    private final Socket socket = new Socket();

    RawHttp(int port) {
        try {
            socket.connect(new InetSocketAddress("127.0.0.1", port), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One request on a connection of its own; the status, or 0 if the connection was ended without an answer. */
    static int status(int port, byte[] request) {
        try (RawHttp http = new RawHttp(port)) {
            http.send(request);
            return statusOf(http.readHead());
        }
    }

    static int status(int port, String request) {
        return status(port, request.getBytes(StandardCharsets.ISO_8859_1));
    }

    static int statusOf(String answer) {
        return answer.startsWith("HTTP/1.1 ") ? Integer.parseInt(answer.substring(9, 12)) : 0;
    }

    void send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (IOException e) {
            // The server may have answered and gone before it read all.
        }
    }

    /** The answer up to the end of its head. */
    String readHead() {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try {
            InputStream in = socket.getInputStream();
            int b = in.read();
            while (b >= 0) {
                read.write(b);
                if (read.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                    break;
                }
                b = in.read();
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("no answer in " + Duration.ofMillis(PATIENCE_MILLIS), e);
        } catch (IOException e) {
            // A reset after the answer.
        }
        return read.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
