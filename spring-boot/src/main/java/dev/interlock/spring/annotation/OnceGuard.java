// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import dev.interlock.idempotency.Idempotency;
import dev.interlock.idempotency.RunResult;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Runs a method once for a key and keeps its result as JSON.
 *
 * @param idempotency the store of results
 * @param name of the kind of work
 * @param template of the key
 * @param fingerprint what a call is about
 * @param json writes and reads the result
 */
record OnceGuard(
        Idempotency<byte[]> idempotency,
        String name,
        NameTemplate template,
        Function<@Nullable Object[], String> fingerprint,
        ResultJson json)
        implements Guard {
    private static final Logger log = LoggerFactory.getLogger(OnceGuard.class);

    /** Carries what the method throws, checked or not, past code that only knows unchecked exceptions. */
    private static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Thrown(Throwable cause) {
            super(null, cause, false, false);
        }
    }

    @Override
    public @Nullable Object blocking(GuardedCall call) throws Throwable {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw withinTransaction();
        }
        @Nullable Object[] arguments = call.arguments();
        try {
            return json.read(result(idempotency.run(template.resolve(arguments), fingerprint.apply(arguments), () -> {
                try {
                    return json.write(call.proceed());
                } catch (Throwable e) {
                    throw new Thrown(e);
                }
            })));
        } catch (Thrown e) {
            throw e.getCause();
        }
    }

    private IllegalStateException withinTransaction() {
        return new IllegalStateException(
                "a call of " + name + " within a transaction was refused: its result would be kept"
                        + " though the transaction may still roll back. Begin the transaction in the @Idempotent method");
    }

    @Override
    public Mono<Object> one(GuardedCall call) {
        return once(call, call.one().map(json::write).switchIfEmpty(Mono.fromSupplier(() -> json.write(null))))
                .mapNotNull(json::read);
    }

    @Override
    @SuppressWarnings("unchecked")
    public Flux<Object> many(GuardedCall call) {
        return once(call, call.many().collectList().map(json::write))
                .flatMapIterable(bytes -> (List<Object>) Objects.requireNonNull(json.read(bytes)));
    }

    private Mono<byte[]> once(GuardedCall call, Mono<byte[]> work) {
        @Nullable Object[] arguments = call.arguments();
        String key = template.resolve(arguments);
        String print = fingerprint.apply(arguments);
        // The work is started on its own, so it is given the subscriber's context: security, tracing.
        Mono<byte[]> result = Mono.deferContextual(
                        context -> idempotency.reactive().run(key, print, () -> work.contextWrite(context)))
                .map(this::result);
        return HeldLease.inTransaction().flatMap(joined -> joined ? Mono.error(withinTransaction()) : result);
    }

    private byte[] result(RunResult<byte[]> result) {
        if (result instanceof RunResult.Completed<byte[]> completed) {
            return completed.response();
        }
        if (result instanceof RunResult.Replayed<byte[]> replayed) {
            return replayed.response();
        }
        if (result instanceof RunResult.Superseded<byte[]> superseded) {
            log.warn(
                    "a call of {} outlived its lease, so its result was not kept and the work may be done twice", name);
            return superseded.response();
        }
        if (result instanceof RunResult.InProgress<byte[]> running) {
            throw new WorkInProgressException(name, running.retryAfter());
        }
        throw new KeyReusedException(name);
    }
}
