// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisServerIT {
    @Test
    void answersOnItsAddressUntilItIsClosed() throws IOException {
        RedisServer redis = RedisServer.start();
        long pid = redis.pid();

        assertThat(Resp.ask(redis.port(), "PING")).isEqualTo("+PONG");
        assertThat(redis.uri()).isEqualTo("redis://127.0.0.1:" + redis.port());
        assertThat(redis.version()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(Resp.ask(redis.port(), "INFO server")).contains("process_id:" + pid + "\r\n");
        assertThat(redis.log()).contains("Ready to accept connections");

        redis.close();
        redis.close();
        assertThat(redis.isAlive()).isFalse();
        assertThat(ProcessHandle.of(pid)).isEmpty();
        assertThatThrownBy(redis::restart)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void startsEmptyOnTheSamePortAfterACrash() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            int port = redis.port();
            long pid = redis.pid();
            Resp.ask(port, "SET a 1");

            redis.kill();
            assertThat(redis.isAlive()).isFalse();
            assertThatThrownBy(() -> Resp.ask(port, "PING")).isInstanceOf(IOException.class);

            redis.restart();
            assertThat(redis.port()).isEqualTo(port);
            assertThat(redis.pid()).isNotEqualTo(pid);
            assertThat(Resp.ask(port, "DBSIZE")).isEqualTo(":0");
        }
    }

    @Test
    void keepsAcknowledgedWritesOverACrashWithTheAppendOnlyFile() throws IOException {
        try (RedisServer redis = RedisServer.builder().appendOnly().start()) {
            Resp.ask(redis.port(), "SET a 1");
            redis.kill();
            redis.restart();
            assertThat(Resp.ask(redis.port(), "GET a")).isEqualTo("1");
        }
    }

    @Test
    void keepsAGivenDataDirectoryOnClose(@TempDir Path data) throws IOException {
        try (RedisServer redis =
                RedisServer.builder().dataDirectory(data).appendOnly().start()) {
            Resp.ask(redis.port(), "SET a 1");
        }
        int port = Ports.free();
        try (RedisServer redis = RedisServer.builder()
                .dataDirectory(data)
                .appendOnly()
                .port(port)
                .start()) {
            assertThat(redis.port()).isEqualTo(port);
            assertThat(Resp.ask(port, "GET a")).isEqualTo("1");
        }
    }

    @Test
    void stopsAndStartsAgainWhileRunning() throws IOException {
        try (RedisServer redis = RedisServer.builder().appendOnly().start()) {
            Resp.ask(redis.port(), "SET a 1");
            redis.stop();
            assertThat(redis.isAlive()).isFalse();
            assertThat(redis.log()).contains("Redis is now ready to exit");
            redis.restart();
            redis.restart();
            assertThat(Resp.ask(redis.port(), "GET a")).isEqualTo("1");
        }
    }

    @Test
    void answersNothingWhilePaused() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            redis.pause();
            assertThat(redis.isAlive()).isTrue();
            assertThatThrownBy(() -> Resp.ask(redis.port(), "PING")).isInstanceOf(SocketTimeoutException.class);
            redis.resume();
            assertThat(Resp.ask(redis.port(), "PING")).isEqualTo("+PONG");
            redis.pause(); // closing a paused server must work as well
        }
    }

    @Test
    void isReadyAsAClusterOfOneNodeAlsoAfterACrash() throws IOException {
        try (RedisServer redis = RedisServer.builder().clusterEnabled().start()) {
            assertThat(Resp.ask(redis.port(), "CLUSTER INFO")).contains("cluster_state:ok", "cluster_slots_ok:16384");
            assertThat(Resp.ask(redis.port(), "SET a 1")).isEqualTo("+OK");
            redis.kill();
            redis.restart();
            assertThat(Resp.ask(redis.port(), "SET a 1")).isEqualTo("+OK");
        }
    }

    @Test
    void appliesDirectivesOfTheCaller() throws IOException {
        try (RedisServer redis = RedisServer.builder()
                .config("maxmemory", "3mb")
                .config("save", "900 1")
                .config("requirepass", "secret")
                .start()) {
            assertThat(Resp.ask(redis.port(), "PING")).startsWith("-NOAUTH");
            assertThat(Resp.ask(redis.port(), "AUTH secret")).isEqualTo("+OK");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisServer.builder().config("maxmemory", "3mb\nport 1"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisServer.builder().port(65_536));
    }

    @Test
    void failsWithTheWordsOfRedis() {
        assertThatThrownBy(() ->
                        RedisServer.builder().config("no-such-directive", "1").start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("did not start")
                .hasMessageContaining("no-such-directive 1")
                .hasMessageContaining("Bad directive");
    }

    @Test
    void doesNotTakeAnotherServerOnItsPortForItself() {
        try (RedisServer first = RedisServer.start()) {
            RedisServer.Builder second = RedisServer.builder().port(first.port());
            assertThatThrownBy(second::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Failed listening on port " + first.port());
        }
    }
}
