// SPDX-License-Identifier: Apache-2.0
package dev.interlock.idempotency;

import dev.interlock.NotExecutedException;
import dev.interlock.Operation;
import dev.interlock.internal.BoundedCodec;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import io.netty.util.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** The script calls of idempotent work; {@link LeasedRun} puts them into order. */
final class IdempotencyCalls<T> implements Idempotency.Async<T> {
    static final int MAX_BYTES = 1_048_576;

    private static final String PRIMITIVE = "idempotency";
    private static final LuaScript BEGIN = LuaScript.own(IdempotencyCalls.class, "begin");
    private static final LuaScript RENEW = LuaScript.own(IdempotencyCalls.class, "renew");
    private static final LuaScript FINISH = LuaScript.own(IdempotencyCalls.class, "finish");
    private static final LuaScript RELEASE = LuaScript.own(IdempotencyCalls.class, "release");

    private final Engine engine;
    private final String name;
    private final BoundedCodec<T> codec;
    private final long leaseMillis;
    private final byte[] leaseArgument;
    private final byte[] responseTtlArgument;

    IdempotencyCalls(Engine engine, String name, IdempotencyConfig<T> config) {
        this.engine = engine;
        this.name = name;
        this.codec = new BoundedCodec<>("idempotency " + Names.echo(name), config.codec(), MAX_BYTES);
        this.leaseMillis = config.lease().toMillis();
        this.leaseArgument = Text.bytes(leaseMillis);
        this.responseTtlArgument = Text.bytes(config.responseTtl().toMillis());
        engine.scripts().prepare(BEGIN, RENEW, FINISH, RELEASE);
    }

    /** A checked request; the key is the tag, so that the keys of one name spread over the slots. */
    static final class Claim {
        private final byte[] record;
        private final byte[] fingerprint;

        private Claim(byte[] record, byte[] fingerprint) {
            this.record = record;
            this.fingerprint = fingerprint;
        }
    }

    Claim checked(String key, String fingerprint) {
        byte[] record = engine.keys().item(PRIMITIVE, Names.name("key", key), "of", name);
        return new Claim(record, Text.bytes(Names.name("fingerprint", fingerprint)));
    }

    @Override
    public CompletionStage<RunResult<T>> run(
            String key, String fingerprint, Supplier<? extends CompletionStage<T>> work) {
        return run(checked(key, fingerprint), work, Runnable::run);
    }

    CompletableFuture<RunResult<T>> run(Claim claim, Supplier<? extends CompletionStage<T>> work, Executor executor) {
        return engine.telling().end(Operation.IDEMPOTENCY_RUN, new LeasedRun<>(this, claim, work, executor).start());
    }

    /** Takes the key for an owner: empty if it has it now, else why not. */
    CompletionStage<Optional<RunResult<T>>> begin(Claim claim, byte[] owner) {
        return call(BEGIN, claim, owner, claim.fingerprint, leaseArgument, responseTtlArgument)
                .thenApply(reply -> switch (reply.status()) {
                    case 0 -> Optional.empty();
                    case 1 -> Optional.of(new RunResult.Replayed<>(codec.decode(reply.bytes(1))));
                    case 2 -> Optional.of(new RunResult.InProgress<>(Duration.ofMillis(reply.number(1))));
                    case 3 -> Optional.of(new RunResult.Mismatch<>());
                    default -> throw reply.unexpected();
                });
    }

    /** Whether the owner still has the key. */
    CompletionStage<Boolean> renew(Claim claim, byte[] owner) {
        return call(RENEW, claim, owner, leaseArgument, responseTtlArgument).thenApply(reply -> reply.status() == 0);
    }

    byte[] encode(T response) {
        return codec.encode("the response", response);
    }

    /** Whether the response is stored; false if the owner has lost the key. */
    CompletionStage<Boolean> finish(Claim claim, byte[] owner, byte[] response) {
        return call(FINISH, claim, owner, response, responseTtlArgument).thenApply(reply -> reply.status() == 0);
    }

    CompletionStage<Replies> release(Claim claim, byte[] owner) {
        return call(RELEASE, claim, owner);
    }

    private CompletionStage<Replies> call(LuaScript script, Claim claim, byte[]... args) {
        try {
            return engine.scripts()
                    .run(script, new byte[][] {claim.record}, args)
                    .thenApply(reply -> Replies.of(script, reply));
        } catch (IllegalStateException e) {
            return CompletableFuture.failedFuture(new NotExecutedException(
                    "script " + script.name() + " was not executed: this Interlock is closed", e));
        }
    }

    Timer timer() {
        return engine.timer();
    }

    long leaseMillis() {
        return leaseMillis;
    }
}
