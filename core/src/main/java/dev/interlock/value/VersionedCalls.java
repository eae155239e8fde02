// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.Codec;
import dev.interlock.CorruptStateException;
import dev.interlock.Operation;
import dev.interlock.internal.BoundedCodec;
import dev.interlock.internal.Bounds;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import dev.interlock.value.Versioned.Snapshot;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Every operation of a versioned value, written once; the other views wait for it or wrap it. */
final class VersionedCalls<T> implements Versioned.Async<T> {
    static final int FLOOR_HOURS = 24;

    private static final String PRIMITIVE = "versioned";
    private static final LuaScript LOOK = LuaScript.own(VersionedCalls.class, "look");
    private static final LuaScript WRITE = LuaScript.own(VersionedCalls.class, "write");
    private static final byte[] FLOOR_ARGUMENT =
            Text.bytes(Duration.ofHours(FLOOR_HOURS).toMillis());
    /** Largest whole number that Lua counts exactly; as a time in microseconds it is the year 2255. */
    private static final long MAX_VERSION = 1L << 53;

    private final Engine engine;
    private final BoundedCodec<T> codec;
    private final byte[] document;
    private final byte[] last;
    private final byte[] requests;

    VersionedCalls(Engine engine, String name, Codec<T> codec) {
        this.engine = engine;
        this.codec = new BoundedCodec<>("versioned value " + Names.echo(name), codec, ValueCalls.MAX_BYTES);
        this.document = engine.keys().of(PRIMITIVE, name);
        this.last = engine.keys().part(PRIMITIVE, name, "last");
        this.requests = engine.keys().part(PRIMITIVE, name, "requests");
        engine.scripts().prepare(LOOK, WRITE);
    }

    /** One checked write; empty to delete. */
    record Write(
            long expected,
            Optional<byte[]> next,
            Ttl ttl,
            @Nullable String requestId) {}

    @Override
    public CompletionStage<Optional<Snapshot<T>>> get() {
        return engine.scripts().run(LOOK, new byte[][] {document}).thenApply(answer -> {
            Replies reply = Replies.of(LOOK, answer);
            return switch (reply.status()) {
                case 0 -> Optional.of(snapshot(reply));
                case 1 -> Optional.empty();
                case 2 -> throw corrupt();
                default -> throw reply.unexpected();
            };
        });
    }

    private Snapshot<T> snapshot(Replies reply) {
        return new Snapshot<>(codec.decode(reply.bytes(2)), reply.number(1));
    }

    @Override
    public CompletionStage<WriteResult<T>> compareAndSet(long expected, @Nullable T next) {
        return write(checked(expected, next, Ttl.KEEP, null));
    }

    @Override
    public CompletionStage<WriteResult<T>> compareAndSet(long expected, @Nullable T next, Ttl ttl, String requestId) {
        return write(checked(expected, next, ttl, Names.requestId(requestId)));
    }

    Write checked(long expected, @Nullable T next, Ttl ttl, @Nullable String checkedRequestId) {
        Bounds.range("expected", expected, Versioned.ABSENT, MAX_VERSION);
        if (expected == Versioned.ABSENT && next == null) {
            throw new IllegalArgumentException(
                    codec.what() + ": next must not be null where no value is expected: nothing would be written");
        }
        ValueCalls.checked(ttl);
        return new Write(
                expected, Optional.ofNullable(next).map(value -> codec.encode("next", value)), ttl, checkedRequestId);
    }

    CompletionStage<WriteResult<T>> write(Write write) {
        CompletionStage<WriteResult<T>> written = send(write, Requests.id(write.requestId()))
                .thenApply(reply -> switch (reply.status()) {
                    case 0 -> new WriteResult.Written<>(reply.number(1));
                    case 1 -> new WriteResult.NotFound<>();
                    case 2 -> new WriteResult.Conflict<>(snapshot(reply));
                    case 3 -> throw Requests.conflict(write.requestId());
                    case 4 -> throw corrupt();
                    default -> throw reply.unexpected();
                });
        return engine.telling().end(Operation.VERSIONED_WRITE, written);
    }

    private CompletionStage<Replies> send(Write write, byte[] id) {
        byte[] expected = Text.bytes(write.expected());
        byte[] mode = Text.bytes(write.next().isEmpty() ? "delete" : "write");
        byte[] next = write.next().orElse(ValueCalls.NOTHING);
        byte[] ttl = write.ttl().argument();
        byte[] digest = Requests.digest(write.requestId(), mode, expected, next, ttl);
        return engine.scripts()
                .run(
                        WRITE,
                        new byte[][] {document, last, requests},
                        id,
                        digest,
                        mode,
                        expected,
                        next,
                        ttl,
                        FLOOR_ARGUMENT,
                        Requests.MEMORY_ARGUMENT,
                        Requests.CAPACITY_ARGUMENT)
                .thenApply(reply -> Replies.of(WRITE, reply));
    }

    @Override
    public CompletionStage<Optional<Snapshot<T>>> update(UnaryOperator<@Nullable T> change) {
        return update(change, Ttl.KEEP, AtomicValue.UPDATE_BUDGET);
    }

    @Override
    public CompletionStage<Optional<Snapshot<T>>> update(UnaryOperator<@Nullable T> change, Ttl ttl, Duration budget) {
        return update(change, ttl, budget, Runnable::run);
    }

    CompletionStage<Optional<Snapshot<T>>> update(
            UnaryOperator<@Nullable T> change, Ttl ttl, Duration budget, Executor executor) {
        long millis = ValueCalls.checked(ttl, budget);
        return new UpdateLoop<Optional<Snapshot<T>>, Optional<Snapshot<T>>>(
                        engine.timer(), codec.what(), millis, executor, seen -> attempt(change, ttl, seen))
                .start(get());
    }

    private UpdateLoop.Attempt<Optional<Snapshot<T>>, Optional<Snapshot<T>>> attempt(
            UnaryOperator<@Nullable T> change, Ttl ttl, Optional<Snapshot<T>> seen) {
        T computed = change.apply(seen.map(Snapshot::value).orElse(null));
        if (seen.isEmpty() && computed == null) {
            return id -> CompletableFuture.completedFuture(new UpdateLoop.Done<>(Optional.empty()));
        }
        long expected = seen.map(Snapshot::version).orElse(Versioned.ABSENT);
        Write write = checked(expected, computed, ttl, null);
        return id -> send(write, id).thenApply(reply -> switch (reply.status()) {
            case 0 ->
                new UpdateLoop.Done<>(
                        Optional.ofNullable(computed).map(value -> new Snapshot<>(value, reply.number(1))));
            case 1 -> new UpdateLoop.Changed<>(Optional.empty());
            case 2 -> new UpdateLoop.Changed<>(Optional.of(snapshot(reply)));
            case 4 -> throw corrupt();
            default -> throw reply.unexpected();
        });
    }

    private CorruptStateException corrupt() {
        return new CorruptStateException(
                codec.what()
                        + " lacks its data or its version; nothing was changed: see which other program writes to it",
                null);
    }
}
