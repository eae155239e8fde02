// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.embedded.FaultProxy.Mode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@RedisTest
class FaultProxyIT {
    private final RedisServer redis;
    private FaultProxy proxy;

    FaultProxyIT(RedisServer redis) {
        this.redis = redis;
    }

    @BeforeEach
    void open() throws IOException {
        Resp.ask(redis.port(), "FLUSHALL");
        proxy = FaultProxy.to(redis.port());
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void passesEverythingAtFirst() throws IOException {
        try (Client client = new Client()) {
            assertThat(client.ask("INCR n")).isEqualTo(":1\r\n");
            assertThat(client.ask("INCR n")).isEqualTo(":2\r\n");
        }
        assertThat(proxy.redisUri()).isEqualTo("redis://127.0.0.1:" + proxy.port());
        assertThat(proxy.faults()).isZero();
        assertThat(proxy.connections()).isOne();
    }

    @Test
    void dropsTheReplyThenEndsInOrder() throws IOException {
        try (Client client = new Client()) {
            client.ask("INCR n");
            proxy.once(Mode.DROP_REPLY_THEN_FIN);
            assertThat(client.ask("INCR n")).isEqualTo("FIN");
        }
        assertThat(counter()).isEqualTo("2");
        assertThat(proxy.faults()).isOne();
        try (Client client = new Client()) {
            assertThat(client.ask("INCR n")).isEqualTo(":3\r\n");
        }
    }

    @Test
    void dropsTheReplyThenResets() throws IOException {
        proxy.mode(Mode.DROP_REPLY_THEN_CUT);
        for (int i = 0; i < 5; i++) {
            try (Client client = new Client()) {
                assertThatThrownBy(() -> client.ask("INCR n"))
                        .isInstanceOf(SocketException.class)
                        .hasMessageContaining("reset");
            }
        }
        assertThat(counter()).isEqualTo("5");
        assertThat(proxy.faults()).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"DROP_REPLY_THEN_FIN", "DROP_REPLY_THEN_CUT"})
    void executesADroppedRequestAlsoBehindUnansweredOnes(Mode mode) throws IOException {
        try (Client client = new Client()) {
            for (int i = 0; i < 100; i++) {
                client.send("INCR n");
            }
            proxy.onceWhen(mode, request -> text(request).contains("INCR last"));
            client.send("INCR last");
            await().untilAsserted(
                            () -> assertThat(Resp.ask(redis.port(), "GET last")).isEqualTo("1"));
            await().untilAsserted(() -> assertThat(proxy.faults()).isOne());
        }
        assertThat(counter()).isEqualTo("100");
    }

    @Test
    void cutsBeforeTheRequestArrives() throws IOException {
        try (Client client = new Client()) {
            proxy.once(Mode.CUT_BEFORE_REQUEST);
            assertThatThrownBy(() -> client.ask("INCR n")).isInstanceOf(SocketException.class);
        }
        assertThat(counter()).isEmpty();
        assertThat(proxy.faults()).isOne();
    }

    @Test
    void swallowsRepliesForGoodOnTheConnection() throws IOException {
        try (Client client = new Client();
                Client other = new Client()) {
            proxy.mode(Mode.BLACKHOLE_REPLIES);
            assertThatThrownBy(() -> client.ask("INCR n")).isInstanceOf(SocketTimeoutException.class);
            proxy.mode(Mode.PASS);
            assertThatThrownBy(() -> client.ask("INCR n")).isInstanceOf(SocketTimeoutException.class);
            assertThat(counter()).isEqualTo("2");
            assertThat(other.ask("INCR n")).isEqualTo(":3\r\n");
        }
        assertThat(proxy.faults()).isOne();
    }

    @Test
    void swallowsRequestsForGoodOnTheConnection() throws IOException {
        try (Client client = new Client()) {
            proxy.once(Mode.BLACKHOLE_ALL);
            assertThatThrownBy(() -> client.ask("INCR n")).isInstanceOf(SocketTimeoutException.class);
            assertThatThrownBy(() -> client.ask("INCR n")).isInstanceOf(SocketTimeoutException.class);
        }
        assertThat(counter()).isEmpty();
        assertThat(proxy.faults()).isOne();
    }

    @Test
    void doesNotShowInABlackHoleThatTheServerDied() throws IOException {
        try (RedisServer mortal = RedisServer.start();
                FaultProxy hole = FaultProxy.to(mortal.port());
                Client client = new Client(hole)) {
            hole.mode(Mode.BLACKHOLE_REPLIES);
            assertThatThrownBy(() -> client.ask("INCR n")).isInstanceOf(SocketTimeoutException.class);
            mortal.kill();
            assertThatThrownBy(() -> client.ask("INCR n")).isInstanceOf(SocketTimeoutException.class);
            assertThatThrownBy(() -> client.ask("INCR n")).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void refusesConnectionsAndComesBackOnTheSamePort() throws IOException {
        int port = proxy.port();
        try (Client client = new Client()) {
            client.ask("INCR n");
            proxy.mode(Mode.REFUSE);
            assertThatThrownBy(() -> client.ask("INCR n")).isInstanceOf(SocketException.class);
            assertThatThrownBy(Client::new).isInstanceOf(ConnectException.class);
        }
        proxy.mode(Mode.PASS);
        assertThat(proxy.port()).isEqualTo(port);
        try (Client client = new Client()) {
            assertThat(client.ask("INCR n")).isEqualTo(":2\r\n");
        }
        assertThat(proxy.faults()).isOne();
        assertThatIllegalArgumentException().isThrownBy(() -> proxy.once(Mode.REFUSE));
    }

    @Test
    void dribblesCorrectBytes() throws IOException {
        String value = "x".repeat(300);
        proxy.mode(Mode.DRIBBLE);
        try (Client client = new Client()) {
            assertThat(client.ask("SET a " + value)).isEqualTo("+OK\r\n");
        }
        assertThat(Resp.ask(redis.port(), "GET a")).isEqualTo(value);
        assertThat(proxy.faults()).isPositive();
    }

    @Test
    void delaysEachWay() throws IOException {
        proxy.delay(Duration.ofMillis(100));
        try (Client client = new Client()) {
            long start = System.nanoTime();
            client.ask("PING");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(200), Duration.ofSeconds(2));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> proxy.delay(Duration.ofMillis(-1)));
    }

    @Test
    void hitsOnlyTheRequestThatIsMeant() throws IOException {
        proxy.onceWhen(Mode.DROP_REPLY_THEN_FIN, request -> text(request).startsWith("EVALSHA"));
        try (Client client = new Client()) {
            assertThat(client.ask("INCR n")).isEqualTo(":1\r\n");
            assertThat(client.ask("EVALSHA 00 0")).isEqualTo("FIN");
        }
        try (Client client = new Client()) {
            assertThat(client.ask("EVALSHA 00 0")).startsWith("-NOSCRIPT");
        }
    }

    @Test
    void cutsAllPresentConnections() throws IOException {
        try (Client one = new Client();
                Client two = new Client()) {
            one.ask("PING");
            two.ask("PING");
            proxy.cutAll();
            assertThatThrownBy(() -> one.ask("PING")).isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> two.ask("PING")).isInstanceOf(SocketException.class);
        }
        try (Client three = new Client()) {
            assertThat(three.ask("PING")).isEqualTo("+PONG\r\n");
        }
        assertThat(proxy.connections()).isEqualTo(3);
    }

    private String counter() throws IOException {
        String value = Resp.ask(redis.port(), "GET n");
        return value.equals("$-1") ? "" : value;
    }

    private static String text(byte[] request) {
        return new String(request, StandardCharsets.US_ASCII);
    }

    /** A client of the proxy that shows how its connection ends. */
    private final class Client implements AutoCloseable {
        private final Socket socket;

        Client() throws IOException {
            this(proxy);
        }

        Client(FaultProxy through) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), through.port());
            socket.setSoTimeout(500);
        }

        void send(String command) throws IOException {
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }

        String ask(String command) throws IOException {
            send(command);
            StringBuilder line = new StringBuilder();
            while (line.indexOf("\n") < 0) {
                int next = socket.getInputStream().read();
                if (next < 0) {
                    return "FIN";
                }
                line.append((char) next);
            }
            return line.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
