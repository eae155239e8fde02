// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.CorruptStateException;
import dev.interlock.internal.Await;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** Every operation of a fenced value, written once; the other views wait for it or wrap it. */
final class FencedCalls implements FencedValue.Async {
    private static final LuaScript GUARD = LuaScript.own(FencedCalls.class, "guard");
    private static final String PRIMITIVE = "fenced";
    private static final int MAX_VALUE_BYTES = 1 << 20;

    private final Engine engine;
    private final String name;
    private final byte[][] keys;

    FencedCalls(Engine engine, String name) {
        this.engine = engine;
        this.name = name;
        keys = new byte[][] {engine.keys().of(PRIMITIVE, name), engine.keys().part(PRIMITIVE, name, "fence")};
    }

    private static byte[] checked(String value) {
        byte[] bytes = Text.bytes(value);
        if (bytes.length > MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "value must be at most " + MAX_VALUE_BYTES + " bytes of UTF-8 but has " + bytes.length);
        }
        return bytes;
    }

    private CompletableFuture<Boolean> run(long fence, byte[] value, String action) {
        return engine.scripts()
                .run(GUARD, keys, Text.bytes(fence), value, Text.bytes(action))
                .thenApply(answer -> {
                    Replies reply = Replies.of(GUARD, answer);
                    return switch (reply.status()) {
                        case 0 -> true;
                        case 1 -> false;
                        case 2 ->
                            throw new CorruptStateException(
                                    "fenced value " + Names.echo(name)
                                            + ": its stored fence is no fence; nothing was changed",
                                    null);
                        default -> throw reply.unexpected();
                    };
                });
    }

    @Override
    public CompletableFuture<Boolean> set(long fence, String value) {
        return run(Fences.check(fence), checked(value), "set");
    }

    @Override
    public CompletableFuture<Boolean> delete(long fence) {
        return run(Fences.check(fence), new byte[0], "delete");
    }

    @Override
    public CompletableFuture<Boolean> admit(long fence) {
        return run(Fences.check(fence), new byte[0], "check");
    }

    /** The blocking view. */
    record Blocking(FencedCalls calls) implements FencedValue {
        @Override
        public boolean set(long fence, String value) {
            return Await.uninterruptibly("fencedValue.set", () -> calls.set(fence, value));
        }

        @Override
        public boolean delete(long fence) {
            return Await.uninterruptibly("fencedValue.delete", () -> calls.delete(fence));
        }

        @Override
        public boolean admit(long fence) {
            return Await.uninterruptibly("fencedValue.admit", () -> calls.admit(fence));
        }

        @Override
        public Async async() {
            return calls;
        }

        @Override
        public FencedValue.Reactive reactive() {
            return new FencedCalls.Reactive(calls);
        }
    }

    /** The reactive view; arguments are checked before. */
    record Reactive(FencedCalls calls) implements FencedValue.Reactive {
        @Override
        public Mono<Boolean> set(long fence, String value) {
            Fences.check(fence);
            checked(value);
            return Mono.fromFuture(() -> calls.set(fence, value), true);
        }

        @Override
        public Mono<Boolean> delete(long fence) {
            Fences.check(fence);
            return Mono.fromFuture(() -> calls.delete(fence), true);
        }

        @Override
        public Mono<Boolean> admit(long fence) {
            Fences.check(fence);
            return Mono.fromFuture(() -> calls.admit(fence), true);
        }
    }
}
