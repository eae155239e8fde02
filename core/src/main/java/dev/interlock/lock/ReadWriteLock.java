// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A lock that many readers share or one writer has alone.
 *
 * <p>Guarantees what {@link Permits} do; while the lease of a writer is valid no other lease of the name is. Readers and
 * writers are served first come, first served together: a reader that comes after a waiting writer waits behind him, so
 * that no stream of readers can starve a writer. The fence of a writer is larger than that of every earlier lease. Each reader
 * has a lease of his own: none keeps another's alive. At most 1,000,000 readers at a time. Not re-entrant.
 */
public interface ReadWriteLock {
    /**
     * Permits to read.
     *
     * @return permits of which there are as many as are asked for
     */
    Permits reading();

    /**
     * The permit to write.
     *
     * @return permits of which there is one, and only while nobody reads
     */
    Permits writing();

    /**
     * Has a writer go on as a reader, without a moment in which nobody holds the lock; waiting readers may join. The lease,
     * its token and its fence stay as they are. Does nothing to a lease that reads. One script call; an interrupt does not
     * stop it.
     *
     * @param lease one of {@link #writing()}
     * @throws LeaseLostException if it was lost before
     * @throws IllegalArgumentException if the lease is of another lock
     */
    void downgrade(Lease lease);

    /**
     * As {@link #downgrade(Lease)}, without waiting.
     *
     * @param lease one of {@link #writing()}
     * @return completes when it reads
     */
    CompletionStage<@Nullable Void> downgradeAsync(Lease lease);

    /**
     * As {@link #downgrade(Lease)}, for Reactor; nothing is sent before subscription.
     *
     * @param lease one of {@link #writing()}
     * @return completes when it reads
     */
    Mono<Void> downgradeReactive(Lease lease);

    /**
     * Always refused: two readers that both wait to become the writer would wait for each other for ever. Release, acquire
     * {@link #writing()}, and check again what was read.
     *
     * @param lease one of {@link #reading()}
     * @throws UnsupportedOperationException always, with this advice; nothing is sent
     */
    void upgrade(Lease lease);
}
