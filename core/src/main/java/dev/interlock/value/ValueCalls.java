// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.Codec;
import dev.interlock.Operation;
import dev.interlock.internal.BoundedCodec;
import dev.interlock.internal.Bounds;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Every operation of a value, written once; the other views wait for it or wrap it. */
final class ValueCalls<T> implements AtomicValue.Async<T> {
    static final int MAX_BYTES = 65_536;

    private static final String PRIMITIVE = "value";
    private static final LuaScript READ = LuaScript.own(ValueCalls.class, "read");
    private static final LuaScript SWAP = LuaScript.own(ValueCalls.class, "swap");
    private static final Duration MIN_BUDGET = Duration.ofMillis(1);
    private static final Duration MAX_BUDGET = Duration.ofHours(1);
    static final byte[] NOTHING = {};

    private final Engine engine;
    private final BoundedCodec<T> codec;
    private final byte[] value;
    private final byte[] requests;

    ValueCalls(Engine engine, String name, Codec<T> codec) {
        this.engine = engine;
        this.codec = new BoundedCodec<>("value " + Names.echo(name), codec, MAX_BYTES);
        this.value = engine.keys().of(PRIMITIVE, name);
        this.requests = engine.keys().part(PRIMITIVE, name, "requests");
        engine.scripts().prepare(READ, SWAP);
    }

    /** One checked swap of encoded values; empty where there is or shall be none. */
    record Swap(
            Optional<byte[]> expected,
            Optional<byte[]> next,
            Ttl ttl,
            @Nullable String requestId) {
        byte[] mode() {
            return Text.bytes(expected.isEmpty() ? "create" : next.isEmpty() ? "delete" : "swap");
        }
    }

    @Override
    public CompletionStage<Optional<T>> get() {
        return read().thenApply(seen -> seen.map(codec::decode));
    }

    private CompletionStage<Optional<byte[]>> read() {
        return engine.scripts().run(READ, new byte[][] {value}).thenApply(answer -> {
            Replies reply = Replies.of(READ, answer);
            return reply.status() == 0 ? Optional.of(reply.bytes(1)) : Optional.empty();
        });
    }

    @Override
    public CompletionStage<CasResult<T>> compareAndSet(@Nullable T expected, @Nullable T next) {
        return compareAndSet(expected, next, Ttl.KEEP);
    }

    @Override
    public CompletionStage<CasResult<T>> compareAndSet(@Nullable T expected, @Nullable T next, Ttl ttl) {
        return swap(checked(expected, next, ttl));
    }

    @Override
    public CompletionStage<CasResult<T>> compareAndSet(
            @Nullable T expected, @Nullable T next, Ttl ttl, String requestId) {
        return swap(checked(expected, next, ttl, requestId));
    }

    Swap checked(@Nullable T expected, @Nullable T next, Ttl ttl) {
        if (expected == null && next == null) {
            throw new IllegalArgumentException(
                    codec.what() + ": expected and next must not both be null: nothing would be swapped");
        }
        checked(ttl);
        return new Swap(encode("expected", expected), encode("next", next), ttl, null);
    }

    Swap checked(@Nullable T expected, @Nullable T next, Ttl ttl, String requestId) {
        Swap swap = checked(expected, next, ttl);
        return new Swap(swap.expected(), swap.next(), ttl, Names.requestId(requestId));
    }

    static long checked(Ttl ttl, Duration budget) {
        checked(ttl);
        return Bounds.millis("budget", budget, MIN_BUDGET, MAX_BUDGET);
    }

    static void checked(@Nullable Ttl ttl) {
        if (ttl == null) {
            throw new IllegalArgumentException("ttl must not be null");
        }
    }

    private Optional<byte[]> encode(String parameter, @Nullable T given) {
        return Optional.ofNullable(given).map(value -> codec.encode(parameter, value));
    }

    CompletionStage<CasResult<T>> swap(Swap swap) {
        CompletionStage<CasResult<T>> swapped = send(swap, Requests.id(swap.requestId()))
                .thenApply(reply -> switch (reply.status()) {
                    case 0 -> new CasResult.Success<>();
                    case 1 -> new CasResult.NotFound<>();
                    case 2 -> new CasResult.Conflict<>(codec.decode(reply.bytes(1)));
                    case 3 -> throw Requests.conflict(swap.requestId());
                    default -> throw reply.unexpected();
                });
        return engine.telling().end(Operation.VALUE_SWAP, swapped);
    }

    private CompletionStage<Replies> send(Swap swap, byte[] id) {
        byte[] mode = swap.mode();
        byte[] expected = swap.expected().orElse(NOTHING);
        byte[] next = swap.next().orElse(NOTHING);
        byte[] ttl = swap.ttl().argument();
        byte[] digest = Requests.digest(swap.requestId(), mode, expected, next, ttl);
        return engine.scripts()
                .run(
                        SWAP,
                        new byte[][] {value, requests},
                        id,
                        digest,
                        mode,
                        expected,
                        next,
                        ttl,
                        Requests.MEMORY_ARGUMENT,
                        Requests.CAPACITY_ARGUMENT)
                .thenApply(reply -> Replies.of(SWAP, reply));
    }

    @Override
    public CompletionStage<@Nullable T> update(UnaryOperator<@Nullable T> change) {
        return update(change, Ttl.KEEP, AtomicValue.UPDATE_BUDGET);
    }

    @Override
    public CompletionStage<@Nullable T> update(UnaryOperator<@Nullable T> change, Ttl ttl, Duration budget) {
        return update(change, ttl, budget, Runnable::run);
    }

    CompletionStage<@Nullable T> update(
            UnaryOperator<@Nullable T> change, Ttl ttl, Duration budget, Executor executor) {
        long millis = checked(ttl, budget);
        return new UpdateLoop<Optional<byte[]>, T>(
                        engine.timer(), codec.what(), millis, executor, seen -> attempt(change, ttl, seen))
                .start(read());
    }

    private UpdateLoop.Attempt<Optional<byte[]>, T> attempt(
            UnaryOperator<@Nullable T> change, Ttl ttl, Optional<byte[]> seen) {
        T computed = change.apply(seen.map(codec::decode).orElse(null));
        Optional<byte[]> next = encode("the new value", computed);
        if (seen.isEmpty() && next.isEmpty()) {
            return id -> CompletableFuture.completedFuture(new UpdateLoop.Done<>(null));
        }
        Swap swap = new Swap(seen, next, ttl, null);
        return id -> send(swap, id).thenApply(reply -> switch (reply.status()) {
            case 0 -> new UpdateLoop.Done<>(computed);
            case 1 -> new UpdateLoop.Changed<>(Optional.empty());
            case 2 -> new UpdateLoop.Changed<>(Optional.of(reply.bytes(1)));
            default -> throw reply.unexpected();
        });
    }
}
