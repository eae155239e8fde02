// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Codec;
import dev.interlock.CorruptStateException;
import dev.interlock.Interlock;
import dev.interlock.NotExecutedException;
import dev.interlock.RequestConflictException;
import dev.interlock.Topology;
import dev.interlock.value.CasResult.Conflict;
import dev.interlock.value.CasResult.NotFound;
import dev.interlock.value.CasResult.Success;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every value promises, in all three views; the subclasses say on which topology. */
abstract class ValueContract extends ValueFixture {
    ValueContract(Topology topology) {
        super("value", topology);
    }

    private AtomicValue<String> fresh() {
        name = Topology.name("theme");
        return interlock.value(name);
    }

    private AtomicValue<String> holding(String text) {
        AtomicValue<String> value = fresh();
        redis.set(key(), text);
        return value;
    }

    /** V1. */
    @ParameterizedTest
    @EnumSource(ValueViews.class)
    void aMissingValueAndAChangedOneAreToldApart(ValueViews view) {
        AtomicValue<String> value = fresh();
        assertThat(view.get(value)).isEmpty();
        assertThat(view.swap(value, "light", "dark")).isEqualTo(new NotFound<>());
        assertThat(redis.exists(key())).isZero();
        redis.set(key(), "blue");
        assertThat(view.swap(value, "light", "dark")).isEqualTo(new Conflict<>("blue"));
        assertThat(view.get(value)).contains("blue");
        assertThat(view.swap(value, "blue", "dark")).isEqualTo(new Success<>());
        assertThat(redis.get(key())).isEqualTo("dark");
    }

    @ParameterizedTest
    @EnumSource(ValueViews.class)
    void nullCreatesDeletesOrIsRefused(ValueViews view) {
        AtomicValue<String> value = fresh();
        assertThat(view.swap(value, null, "a")).isEqualTo(new Success<>());
        assertThat(redis.ttl(key())).isEqualTo(-1);
        assertThat(view.swap(value, null, "b")).isEqualTo(new Conflict<>("a"));
        assertThat(view.swap(value, "b", null)).isEqualTo(new Conflict<>("a"));
        assertThat(view.swap(value, "a", "a")).isEqualTo(new Success<>());
        assertThat(view.swap(value, "a", null)).isEqualTo(new Success<>());
        assertThat(redis.exists(key())).isZero();
        assertThat(view.swap(value, "a", null)).isEqualTo(new NotFound<>());
        assertThat(view.swap(value, "a", "a")).isEqualTo(new NotFound<>());
        assertThatThrownBy(() -> view.swap(value, null, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must not both be null");
    }

    /** V4. */
    @ParameterizedTest
    @EnumSource(ValueViews.class)
    void theTimeLeftIsKeptSetOrEnded(ValueViews view) {
        AtomicValue<String> value = holding("a");
        redis.expire(key(), 60);
        view.swap(value, "a", "b");
        assertThat(redis.pttl(key())).isBetween(1L, 60_000L);
        view.swap(value, "b", "c", Ttl.of(Duration.ofSeconds(100)));
        assertThat(redis.pttl(key())).isBetween(60_001L, 100_000L);
        view.swap(value, "nothing", "d", Ttl.PERSIST);
        assertThat(redis.pttl(key())).isBetween(60_001L, 100_000L);
        view.swap(value, "c", "c", Ttl.PERSIST);
        assertThat(redis.pttl(key())).isEqualTo(-1);
    }

    @Test
    void aValueExpires() {
        AtomicValue<String> value = fresh();
        value.compareAndSet(null, "a", Ttl.of(Duration.ofMillis(1)));
        Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> value.get().isEmpty());
        assertThat(value.compareAndSet("a", "b")).isEqualTo(new NotFound<>());
    }

    @ParameterizedTest
    @EnumSource(ValueViews.class)
    void theSameRequestSucceedsAgainAndAnotherSwapUnderItsIdIsRefused(ValueViews view) {
        AtomicValue<String> value = holding("a");
        assertThat(view.swap(value, "a", "b", "r1")).isEqualTo(new Success<>());
        assertThat(view.swap(value, "b", "c", "r 2")).isEqualTo(new Success<>());
        assertThat(view.swap(value, "a", "b", "r1")).isEqualTo(new Success<>());
        assertThat(view.get(value)).contains("c");
        assertThatThrownBy(() -> view.swap(value, "a", "x", "r1")).isInstanceOf(RequestConflictException.class);
        assertThatThrownBy(() -> view.swap(value, "ab", "", "r1")).isInstanceOf(RequestConflictException.class);
        assertThat(view.swap(value, "x", "y", "r3")).isEqualTo(new Conflict<>("c"));
        assertThat(view.swap(value, "c", "y", "r3"))
                .as("a refusal is not remembered")
                .isEqualTo(new Success<>());
    }

    @Test
    void withoutARequestIdEachCallAndEachSubscriptionIsItsOwn() {
        AtomicValue<String> value = holding("a");
        var swap = value.reactive().compareAndSet("a", "b");
        assertThat(swap.block()).isEqualTo(new Success<>());
        assertThat(swap.block()).isEqualTo(new Conflict<>("b"));
    }

    @Test
    void onlyTheLatestRequestsAreRememberedAndOnlyForAWhile() {
        AtomicValue<String> value = holding("0");
        String requests = key() + ":requests";
        value.compareAndSet("0", "1", Ttl.KEEP, "old");
        assertThat(redis.pttl(requests)).isBetween(1L, Requests.MEMORY_MINUTES * 60_000L);
        value.compareAndSet("1", "2", Ttl.KEEP, "recent");
        // As if the first had happened before the memory, and as if the second were the oldest of too many.
        redis.hset(requests, "@0", "1 old");
        value.compareAndSet("2", "3", Ttl.KEEP, "next");
        assertThat(redis.hexists(requests, "=old")).isFalse();
        assertThat(redis.hexists(requests, "=recent")).isTrue();
        redis.hset(requests, "free", Integer.toString(Requests.CAPACITY + 1));
        value.compareAndSet("3", "4", Ttl.KEEP, "last");
        assertThat(redis.hgetall(requests))
                .containsKeys("=next", "=last", "@" + (Requests.CAPACITY + 1))
                .doesNotContainKeys("=recent", "@0", "@1");
    }

    @ParameterizedTest
    @EnumSource(ValueViews.class)
    void updateComputesAgainFromWhatAnotherLeft(ValueViews view) {
        AtomicValue<String> value = holding("1");
        Set<String> seen = ConcurrentHashMap.newKeySet();
        String now = view.update(value, old -> {
            if (seen.add(old) && seen.size() == 1) {
                redis.set(key(), "5");
            }
            return old + "!";
        });
        assertThat(now).isEqualTo("5!");
        assertThat(seen).containsExactlyInAnyOrder("1", "5");
        assertThat(view.update(value, old -> null)).isNull();
        assertThat(view.<String>update(value, old -> old)).isNull();
        assertThat(view.update(value, old -> old == null ? "new" : "not")).isEqualTo("new");
    }

    @ParameterizedTest
    @EnumSource(ValueViews.class)
    void updateEndsWithItsBudgetOrWithWhatTheFunctionThrows(ValueViews view) {
        AtomicValue<String> value = holding("0");
        assertThatThrownBy(() -> view.update(value, old -> "x" + redis.incr(key()), Duration.ofMillis(100)))
                .isInstanceOf(NotExecutedException.class)
                .hasMessageContaining("others changed it");
        assertThatThrownBy(() -> view.update(value, old -> {
                    throw new UnsupportedOperationException("mine");
                }))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("mine");
        assertThat(value.get().orElseThrow()).doesNotStartWith("x");
        assertThatThrownBy(() -> view.update(value, old -> "y", Duration.ZERO)).hasMessageContaining("budget");
    }

    @Test
    void updateRunsTheFunctionOnTheCallingThread() {
        Thread caller = Thread.currentThread();
        assertThat(holding("a").update(old -> Thread.currentThread() == caller ? "mine" : "other"))
                .isEqualTo("mine");
    }

    /** V2. */
    @Test
    void aHundredConcurrentUpdatesLoseNothing() {
        AtomicValue<String> value = fresh();
        try (Interlock other = Topology.connect(server)) {
            AtomicValue<String> same = other.value(name);
            List<CompletableFuture<String>> updates = IntStream.range(0, 100)
                    .mapToObj(i -> (i % 2 == 0 ? value : same)
                            .async()
                            .update(
                                    old -> old == null ? "1" : Integer.toString(Integer.parseInt(old) + 1),
                                    Ttl.KEEP,
                                    Duration.ofMinutes(1))
                            .toCompletableFuture())
                    .toList();
            assertThat(updates.stream().map(CompletableFuture::join).distinct()).hasSize(100);
            assertThat(value.get()).contains("100");
        }
    }

    /** V6. */
    @ParameterizedTest
    @EnumSource(ValueViews.class)
    void aKeyOfAnotherTypeIsReportedAndUnchanged(ValueViews view) {
        AtomicValue<String> value = fresh();
        redis.hset(key(), "field", "content");
        assertThatThrownBy(() -> view.get(value)).isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(() -> view.swap(value, "a", "b")).isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(() -> view.swap(value, null, "b")).isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(() -> view.update(value, old -> "b")).isInstanceOf(CorruptStateException.class);
        assertThat(redis.hgetall(key())).containsOnly(java.util.Map.entry("field", "content"));
        assertThat(redis.exists(key() + ":requests")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "007", "nan", "1e3", " ", "a\nb", "a\0b", "é🎟️", "{\"a\":1}"})
    void whatOthersWroteIsReadAndComparedByteForByte(String text) {
        AtomicValue<String> value = holding(text);
        assertThat(value.get()).contains(text);
        assertThat(value.compareAndSet(text + " ", "x")).isEqualTo(new Conflict<>(text));
        assertThat(value.compareAndSet(text, text + "!")).isEqualTo(new Success<>());
        assertThat(redis.get(key())).isEqualTo(text + "!");
    }

    @Test
    void bytesThatAreNoTextAreReportedByTheTextCodecAndSwappedByTheOther() {
        AtomicValue<String> text = fresh();
        byte[] bytes = {(byte) 0xC3, 0, 0x28};
        var binary = server.redis(ByteArrayCodec.INSTANCE);
        binary.set(key().getBytes(java.nio.charset.StandardCharsets.UTF_8), bytes);
        assertThatThrownBy(text::get).isInstanceOf(CorruptStateException.class).hasMessageContaining(name);
        assertThatThrownBy(() -> text.update(old -> "x")).isInstanceOf(CorruptStateException.class);
        AtomicValue<byte[]> raw = interlock.value(name, Codec.bytes());
        assertThat(raw.compareAndSet(bytes, new byte[] {1})).isEqualTo(new Success<>());
        assertThat(raw.get().orElseThrow()).containsExactly(1);
    }

    @ParameterizedTest
    @EnumSource(ValueViews.class)
    void badArgumentsAreRefusedBeforeAnythingIsSent(ValueViews view) {
        AtomicValue<String> value = fresh();
        String longest = "x".repeat(65_536);
        assertThat(view.swap(value, null, longest)).isEqualTo(new Success<>());
        assertThat(view.get(value)).contains(longest);
        for (String bad : List.of(longest + "x", "é".repeat(32_769), "\uD800")) {
            assertThatThrownBy(() -> view.swap(value, longest, bad)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> view.swap(value, bad, "a")).isInstanceOf(IllegalArgumentException.class);
        }
        for (String bad : new String[] {null, "", " r", "a\nb", "\uD800", "r".repeat(129)}) {
            assertThatThrownBy(() -> view.swap(value, "a", "b", bad)).hasMessageContaining("requestId");
        }
        assertThatThrownBy(() -> view.swap(value, "a", "b", (Ttl) null)).hasMessageContaining("ttl");
        assertThatThrownBy(() -> interlock.value("a\u0000b")).isInstanceOf(IllegalArgumentException.class);
        assertThat(view.get(value)).contains(longest);
    }

    @Test
    void namesDoNotCollideWithKeysOfOthers() {
        AtomicValue<String> value = holding("a");
        value.compareAndSet("a", "b");
        for (String other : List.of(name + ":requests", name + "}:requests", "{" + name + "}", name + "%7D")) {
            assertThat(interlock.value(other).get()).isEmpty();
        }
        assertThat(interlock.versioned(name, Codec.utf8()).get()).isEmpty();
    }
}
