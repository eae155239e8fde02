// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

/** That connections stay of use behind the filters, after what these do. */
abstract class ConnectionsContract extends IdempotencyFiltersContract {
    ConnectionsContract(WebApplicationType type, Class<?> login) {
        super(type, login);
    }

    /** A server that does not read on after a request that waited for another answers nothing more on its connection. */
    @Test
    void answersTheNextRequestOfAConnectionHoweverPromptlyItCame() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", port())) {
            socket.setSoTimeout(10_000);
            String request = "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n";
            // The first waits for Redis, so the second comes while it runs.
            ask(socket, request.formatted("/guarded/p" + id) + request.formatted("/free"), 2);
            ask(socket, request.formatted("/free"), 1);
        }
    }

    private static void ask(Socket socket, String requests, int answers) throws IOException {
        socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
        StringBuilder text = new StringBuilder();
        byte[] buffer = new byte[8_192];
        while (text.toString().split("HTTP/1.1 200", -1).length <= answers) {
            int length = socket.getInputStream().read(buffer);
            assertThat(length).as(text.toString()).isPositive();
            text.append(new String(buffer, 0, length, StandardCharsets.US_ASCII));
        }
    }
}
