// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Codec;
import dev.interlock.CorruptStateException;
import dev.interlock.RequestConflictException;
import dev.interlock.Topology;
import dev.interlock.value.Versioned.Snapshot;
import dev.interlock.value.WriteResult.Conflict;
import dev.interlock.value.WriteResult.NotFound;
import dev.interlock.value.WriteResult.Written;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every versioned value promises, in all three views; the subclasses say on which topology. */
abstract class VersionedContract extends ValueFixture {
    private static final Codec<Integer> NUMBERS = new Codec<>() {
        @Override
        public byte[] encode(Integer value) {
            return Codec.utf8().encode(Integer.toString(value));
        }

        @Override
        public Integer decode(byte[] bytes) {
            return Integer.valueOf(Codec.utf8().decode(bytes));
        }
    };

    VersionedContract(Topology topology) {
        super("versioned", topology);
    }

    private Versioned<Integer> fresh() {
        name = Topology.name("document");
        return interlock.versioned(name, NUMBERS);
    }

    private static long written(WriteResult<?> result) {
        assertThat(result).isInstanceOf(Written.class);
        return ((Written<?>) result).version();
    }

    /** V3. */
    @ParameterizedTest
    @EnumSource(ValueViews.class)
    void aValueThatCameBackIsAnotherVersion(ValueViews view) {
        Versioned<Integer> value = fresh();
        long first = written(view.write(value, Versioned.ABSENT, 1));
        assertThat(view.get(value)).contains(new Snapshot<>(1, first));
        long second = written(view.write(value, first, 2));
        long third = written(view.write(value, second, 1));
        assertThat(view.write(value, first, 5)).isEqualTo(new Conflict<>(new Snapshot<>(1, third)));
        assertThat(view.get(value)).contains(new Snapshot<>(1, third));
    }

    @ParameterizedTest
    @EnumSource(ValueViews.class)
    void versionsGrowOverDeletionAndCreation(ValueViews view) {
        Versioned<Integer> value = fresh();
        assertThat(view.write(value, 7, 1)).isEqualTo(new NotFound<>());
        long first = written(view.write(value, Versioned.ABSENT, 1));
        assertThat(view.write(value, Versioned.ABSENT, 1)).isEqualTo(new Conflict<>(new Snapshot<>(1, first)));
        // As if the clock of Redis had been set back since.
        long future = first + 1_000_000_000_000L;
        redis.hset(key(), "version", Long.toString(future));
        long deleted = written(view.write(value, future, null));
        assertThat(deleted).isEqualTo(future + 1);
        assertThat(view.get(value)).isEmpty();
        assertThat(redis.exists(key())).isZero();
        assertThat(view.write(value, deleted, 1)).isEqualTo(new NotFound<>());
        assertThat(written(view.write(value, Versioned.ABSENT, 1))).isEqualTo(future + 2);
        assertThat(redis.pttl(key() + ":last")).isBetween(86_000_000L, 86_400_000L);
        // Without any memory it is the time of Redis.
        redis.del(key(), key() + ":last");
        long before = Long.parseLong(redis.time().get(0)) * 1_000_000;
        assertThat(written(view.write(value, Versioned.ABSENT, 1))).isBetween(before, before + 3_000_000_000L);
    }

    @Test
    void versionsGrowOverTheEndOfAValuesTime() {
        Versioned<Integer> value = fresh();
        long first = written(value.compareAndSet(Versioned.ABSENT, 1, Ttl.of(Duration.ofMinutes(1)), "r1"));
        assertThat(redis.pttl(key())).isBetween(1L, 60_000L);
        assertThat(redis.pttl(key() + ":last")).isBetween(86_400_000L, 86_460_000L);
        long second = written(value.compareAndSet(first, 2));
        assertThat(redis.pttl(key())).isBetween(1L, 60_000L);
        assertThat(redis.pttl(key() + ":last")).isBetween(86_400_000L, 86_460_000L);
        long future = second + 1_000_000_000_000L;
        redis.set(key() + ":last", Long.toString(future));
        redis.pexpire(key(), 1);
        Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> value.get().isEmpty());
        assertThat(written(value.compareAndSet(Versioned.ABSENT, 3, Ttl.PERSIST, "r2")))
                .isEqualTo(future + 1);
        assertThat(redis.pttl(key())).isEqualTo(-1);
    }

    @ParameterizedTest
    @EnumSource(ValueViews.class)
    void theSameRequestIsAnsweredAgainAndAnotherWriteUnderItsIdIsRefused(ValueViews view) {
        Versioned<Integer> value = fresh();
        long first = written(view.write(value, Versioned.ABSENT, 1, Ttl.KEEP, "r1"));
        long second = written(view.write(value, first, 2, Ttl.KEEP, "r2"));
        assertThat(view.write(value, Versioned.ABSENT, 1, Ttl.KEEP, "r1")).isEqualTo(new Written<>(first));
        assertThat(view.get(value)).contains(new Snapshot<>(2, second));
        assertThatThrownBy(() -> view.write(value, Versioned.ABSENT, 3, Ttl.KEEP, "r1"))
                .isInstanceOf(RequestConflictException.class);
    }

    @ParameterizedTest
    @EnumSource(ValueViews.class)
    void updateComputesFromTheCurrentValue(ValueViews view) {
        Versioned<Integer> value = fresh();
        Snapshot<Integer> one =
                view.update(value, old -> old == null ? 1 : old + 1).orElseThrow();
        Snapshot<Integer> two =
                view.update(value, old -> old == null ? 1 : old + 1).orElseThrow();
        assertThat(one.value()).isEqualTo(1);
        assertThat(two.value()).isEqualTo(2);
        assertThat(two.version()).isGreaterThan(one.version());
        assertThat(view.get(value)).contains(two);
        assertThat(view.update(value, old -> null)).isEmpty();
        assertThat(view.update(value, old -> old)).isEmpty();
        assertThat(view.get(value)).isEmpty();
    }

    @Test
    void concurrentUpdatesAreAChainWithoutForks() {
        Versioned<Integer> value = fresh();
        List<CompletableFuture<Optional<Snapshot<Integer>>>> updates = IntStream.range(0, 50)
                .mapToObj(i -> value.async()
                        .update(old -> old == null ? 1 : old + 1, Ttl.KEEP, Duration.ofMinutes(1))
                        .toCompletableFuture())
                .toList();
        List<Snapshot<Integer>> chain = updates.stream()
                .map(update -> update.join().orElseThrow())
                .sorted(java.util.Comparator.comparingLong(Snapshot::version))
                .toList();
        assertThat(chain.stream().map(Snapshot::version).distinct()).hasSize(50);
        assertThat(chain.stream().map(Snapshot::value).toList())
                .isEqualTo(IntStream.rangeClosed(1, 50).boxed().toList());
    }

    @ParameterizedTest
    @EnumSource(ValueViews.class)
    void damagedStateIsReportedAndUnchanged(ValueViews view) {
        Versioned<Integer> value = fresh();
        redis.set(key(), "a string");
        assertThatThrownBy(() -> view.get(value)).isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(() -> view.write(value, Versioned.ABSENT, 1)).isInstanceOf(CorruptStateException.class);
        assertThat(redis.get(key())).isEqualTo("a string");
        redis.del(key());
        redis.hset(key(), "other", "field");
        assertThatThrownBy(() -> view.get(value)).isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(() -> view.write(value, Versioned.ABSENT, 1)).isInstanceOf(CorruptStateException.class);
        assertThat(redis.hgetall(key())).hasSize(1);
        redis.hset(key(), java.util.Map.of("version", "0x10", "data", "1"));
        assertThatThrownBy(() -> view.get(value)).isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(() -> view.write(value, 16, 1)).isInstanceOf(CorruptStateException.class);
        redis.hset(key(), java.util.Map.of("version", "16", "data", "one"));
        assertThatThrownBy(() -> view.get(value)).isInstanceOf(CorruptStateException.class);
        assertThat(redis.exists(key() + ":last", key() + ":requests")).isZero();
    }

    @ParameterizedTest
    @EnumSource(ValueViews.class)
    void badArgumentsAreRefusedBeforeAnythingIsSent(ValueViews view) {
        Versioned<Integer> value = fresh();
        for (long bad : new long[] {-1, Long.MIN_VALUE, (1L << 53) + 1, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> view.write(value, bad, 1)).hasMessageContaining("expected");
        }
        assertThatThrownBy(() -> view.write(value, Versioned.ABSENT, null)).hasMessageContaining("null");
        assertThatThrownBy(() -> view.write(value, 1, 1, Ttl.KEEP, "")).hasMessageContaining("requestId");
        assertThatThrownBy(() -> view.write(value, 1, 1, null, "r")).hasMessageContaining("ttl");
        assertThatThrownBy(() ->
                        interlock.versioned(name, Codec.utf8()).compareAndSet(Versioned.ABSENT, "x".repeat(65_537)))
                .hasMessageContaining("65536");
        assertThat(redis.keys("*" + name + "*")).isEmpty();
    }
}
