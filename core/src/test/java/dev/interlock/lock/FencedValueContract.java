// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.CorruptStateException;
import dev.interlock.Topology;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every fenced value promises, in all three views; the subclasses say on which topology. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FencedValueContract {
    private final Topology topology;
    private Servers servers;

    FencedValueContract(Topology topology) {
        this.topology = topology;
    }

    @BeforeAll
    void start() {
        servers = new Servers(topology);
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    /** Ways to call the same operation. */
    enum View {
        BLOCKING,
        ASYNC,
        REACTIVE;

        boolean set(FencedValue value, long fence, String text) {
            return switch (this) {
                case BLOCKING -> value.set(fence, text);
                case ASYNC ->
                    value.async().set(fence, text).toCompletableFuture().join();
                case REACTIVE -> value.reactive().set(fence, text).block();
            };
        }

        boolean delete(FencedValue value, long fence) {
            return switch (this) {
                case BLOCKING -> value.delete(fence);
                case ASYNC -> value.async().delete(fence).toCompletableFuture().join();
                case REACTIVE -> value.reactive().delete(fence).block();
            };
        }

        boolean admit(FencedValue value, long fence) {
            return switch (this) {
                case BLOCKING -> value.admit(fence);
                case ASYNC -> value.async().admit(fence).toCompletableFuture().join();
                case REACTIVE -> value.reactive().admit(fence).block();
            };
        }
    }

    private static String key(String name) {
        return "interlock:fenced:{" + name + "}";
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void aWriterWithAnOlderFenceIsRefusedWhateverItDoes(View view) {
        String name = Topology.name("row");
        FencedValue value = servers.here.locks().fenced(name);
        assertThat(view.set(value, 5, "five")).isTrue();
        assertThat(view.set(value, 5, "five again")).isTrue();
        assertThat(view.set(value, 4, "four")).isFalse();
        assertThat(view.delete(value, 4)).isFalse();
        assertThat(servers.redis.get(key(name))).isEqualTo("five again");
        assertThat(view.admit(value, Fences.MAX - 1)).isTrue();
        assertThat(view.set(value, 6, "six")).isFalse();
        assertThat(servers.redis.get(key(name))).isEqualTo("five again");
        assertThat(view.delete(value, Fences.MAX)).isTrue();
        assertThat(servers.redis.exists(key(name))).isZero();
        assertThat(view.set(value, Fences.MAX - 1, "late")).isFalse();
        assertThat(servers.redis.get(key(name) + ":fence")).isEqualTo("9007199254740991");
    }

    /** L16, from the side of the resource. */
    @Test
    void anOverrunHolderCannotOverwriteWhatItsSuccessorWrote() throws Exception {
        String name = Topology.name("row");
        FencedValue value = servers.here.locks().fenced(name);
        Lease first = servers.here.lock(name).acquire(Duration.ofSeconds(20));
        servers.there.lock(name).forceRelease();
        try (Lease second = servers.there.lock(name).acquire(Duration.ofSeconds(20))) {
            assertThat(value.set(second.fence(), "second")).isTrue();
        }
        assertThat(value.set(first.fence(), "first")).isFalse();
        assertThat(servers.redis.get(key(name))).isEqualTo("second");
        assertThat(first.release()).isNotEqualTo(new ReleaseResult.Released());
    }

    @Test
    void aScriptOfOnesOwnChecksTheSameWay() {
        String tag = Topology.name("own");
        String source =
                "#!lua\n-- Adds under a fence.\n--\n-- KEYS[1] sum    a number\n-- KEYS[2] fence  the last fence\n"
                        + "-- ARGV[1] fence  of the lease\n-- ARGV[2] amount what to add\n-- Returns the sum, or -1 if refused\n"
                        + "-- Cost    O(1)\n" + Fences.LUA_CHECK
                        + "if not fence_admits(KEYS[2], ARGV[1]) then\n  return -1\nend\nreturn redis.call('INCRBY', KEYS[1], ARGV[2])\n";
        assertThat(own(source, tag, "7", "3")).isEqualTo(3);
        assertThat(own(source, tag, "6", "3")).isEqualTo(-1);
        assertThat(own(source, tag, "7", "3")).isEqualTo(6);
        assertThat(own(source, tag, "1e3", "3")).isEqualTo(-1);
        assertThat(own(source, tag, "0", "3")).isEqualTo(-1);
        assertThat(own(source, tag, "99999999999999999", "3")).isEqualTo(-1);
        assertThat(servers.redis.get("{" + tag + "}:sum")).isEqualTo("6");
    }

    private long own(String source, String tag, String fence, String amount) {
        return (Long) servers.redis.eval(
                source,
                ScriptOutputType.INTEGER,
                new String[] {"{" + tag + "}:sum", "{" + tag + "}:fence"},
                fence,
                amount);
    }

    @Test
    void whatOthersWroteIsNotTouched() {
        String name = Topology.name("row");
        FencedValue value = servers.here.locks().fenced(name);
        servers.redis.rpush(key(name), "theirs");
        assertThatThrownBy(() -> value.set(1, "x")).isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(() -> value.delete(1)).isInstanceOf(CorruptStateException.class);
        assertThat(servers.redis.exists(key(name), key(name) + ":fence")).isOne();
        servers.redis.del(key(name));
        for (String bad : new String[] {"nan", "0x10", "1e3", "-5", "99999999999999999"}) {
            servers.redis.set(key(name) + ":fence", bad);
            assertThatThrownBy(() -> value.set(Fences.MAX, "x")).isInstanceOf(CorruptStateException.class);
            assertThat(servers.redis.exists(key(name))).isZero();
        }
        servers.redis.del(key(name) + ":fence");
        servers.redis.rpush(key(name) + ":fence", "theirs");
        assertThatThrownBy(() -> value.admit(1)).isInstanceOf(CorruptStateException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Fences.MAX + 1, Long.MAX_VALUE})
    void whatIsNoFenceIsRefusedBeforeAnythingIsSent(long fence) {
        FencedValue value = servers.here.locks().fenced("bad");
        assertThatThrownBy(() -> value.set(fence, "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> value.async().delete(fence)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> value.reactive().admit(fence)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> value.reactive().set(1, "x".repeat((1 << 20) + 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(servers.redis.keys(key("bad") + "*")).isEmpty();
    }
}
