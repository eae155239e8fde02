// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

/** What {@link Rebuild#run()} did. */
public sealed interface RebuildResult {
    /**
     * The pool was rebuilt from the ledger and is open.
     *
     * @param epoch its new life
     * @param recorded sequence of the latest event of the life before that the ledger has
     * @param lost how many events after that one were known to this JVM and are lost, whatever they were; see
     *     {@link LedgerListener#lostClaims}
     * @param users how many users hold a unit
     * @param left units left
     * @param carried events that only the outbox of the old life had and whose units are kept
     * @param dropped events likewise whose units could not be kept, because the user has his already or none was left; each is a
     *     dead event without a sequence
     */
    record Rebuilt(long epoch, long recorded, long lost, long users, long left, long carried, long dropped)
            implements RebuildResult {}

    /**
     * There is nothing to rebuild: Redis has all that the ledger has and all that this JVM knows of.
     *
     * @param epoch life of the pool
     * @param sequence number of its latest event
     */
    record Current(long epoch, long sequence) implements RebuildResult {}

    /** Nothing of the pool is recorded, or that it was dropped, so there is nothing to rebuild. */
    record NoRecord() implements RebuildResult {}

    /**
     * Another process rebuilt it meanwhile, or is just doing so; or another shard of the pool is not recorded as far as it
     * must be, so the shard stays sealed until a relay or another call goes on.
     */
    record LeftToAnother() implements RebuildResult {}
}
