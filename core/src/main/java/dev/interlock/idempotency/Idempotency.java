// SPDX-License-Identifier: Apache-2.0
package dev.interlock.idempotency;

import dev.interlock.internal.Engine;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * Does work once for a key: the first call does it, later ones get its response. Keys of different names are apart, those of
 * different users are not: make the user a part of the key where one must not see the other's response.
 *
 * <p>Guarantees: while the caller that does the work lives and reaches Redis within its lease, nobody else does it; a stored
 * response never changes; a caller whose lease was taken over cannot store its response any more. Does not guarantee that the
 * work is done at most once: whoever dies in its midst may have done it, and the next call does it again after the lease;
 * likewise if Redis loses its data. So let the work itself be safe to repeat, for example by a unique key in the database.
 * A failed call, one whose work throws, gives the key back, and the next one does the work.
 *
 * <p>Thread-safe; nothing to close. Cost: two script calls for the first call, O(size of the response), and one for each
 * third of the lease that the work takes; one for the others. A response has at most {@value IdempotencyCalls#MAX_BYTES}
 * bytes; a longer one, null, and one that the codec refuses count as failed work.
 *
 * @param <T> type of the response
 */
public interface Idempotency<T> {
    /**
     * Does the work unless it has been done for this key, or is being done. It runs on the calling thread here; in the other
     * views it is started on an I/O thread and must not block. If the response cannot be stored, that is tried again for as
     * long as the lease.
     *
     * @param key which work, 1 to 512 bytes of UTF-8
     * @param fingerprint what the work is about, for example a digest of the request's body: 1 to 512 bytes of UTF-8
     * @param work does it and gives the response
     * @return the response, or why the work was not done
     * @throws IllegalArgumentException before anything is sent, if the key or the fingerprint breaks a rule
     * @throws RuntimeException what the work throws; the key was given back then, or is after its lease
     * @throws dev.interlock.NotExecutedException the work was surely not done, or, if it was, its response is surely not stored
     * @throws dev.interlock.OutcomeUnknownException before the work: it was not done, and the key is free after the lease at
     *     the latest; after the work: its response may be stored or not. Call again with the same key
     * @throws dev.interlock.CorruptStateException if the record holds another type or an unreadable response; it is unchanged
     */
    RunResult<T> run(String key, String fingerprint, Supplier<T> work);

    /**
     * The same operation without waiting.
     *
     * @return the asynchronous view
     */
    Async<T> async();

    /**
     * The same operation for Reactor; nothing is sent before subscription.
     *
     * @return the reactive view
     */
    Reactive<T> reactive();

    /**
     * Made by {@link dev.interlock.Interlock#idempotency(String)}.
     *
     * @param engine runtime resources
     * @param name checked name
     * @param config codec and times
     * @param <T> type of the response
     * @return the idempotency
     */
    static <T> Idempotency<T> create(Engine engine, String name, IdempotencyConfig<T> config) {
        return new BlockingIdempotency<>(new IdempotencyCalls<>(engine, name, config));
    }

    /**
     * As {@link Idempotency}; stages complete on I/O threads, so what depends on them must not block.
     *
     * @param <T> type of the response
     */
    interface Async<T> {
        /**
         * As {@link Idempotency#run(String, String, Supplier)}. Cancelled before the work has begun, it is not done and the
         * key is given back; cancelled later, nothing changes but that nobody hears the result.
         */
        CompletionStage<RunResult<T>> run(String key, String fingerprint, Supplier<? extends CompletionStage<T>> work);
    }

    /**
     * As {@link Idempotency}; each subscription is one call.
     *
     * @param <T> type of the response
     */
    interface Reactive<T> {
        /** As {@link Idempotency.Async#run(String, String, Supplier)}, also when cancelled. */
        Mono<RunResult<T>> run(String key, String fingerprint, Supplier<? extends Mono<T>> work);
    }
}
