// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

/**
 * Told what a {@link Relay} and a {@link Reconcile} did and found, for metrics and alarms. Implement what you need; every
 * method does nothing by default.
 *
 * <p>Methods are called on the thread of the relay or of the check, which waits meanwhile. What they throw is logged and
 * dropped. An alarm is given once for each trouble, not once for each time it is met.
 */
public interface LedgerListener {
    /**
     * Events were recorded and committed.
     *
     * @param events how many
     * @param lag how many more the pool had made by then
     */
    default void recorded(int events, long lag) {}

    /**
     * An event or entry could not be recorded and was set aside. If it held a unit, the unit goes back to the pool.
     *
     * @param event what was set aside, and why
     */
    default void poison(DeadEvent event) {}

    /**
     * Alarm: entries were removed from the outbox before they were recorded. The pool is fenced while their events are
     * derived from the claims that users hold.
     *
     * @param from sequence of the first missing event
     * @param to sequence of the pool's latest event
     */
    default void lostEvents(long from, long to) {}

    /**
     * Alarm: lost events could not be derived. The pool stays fenced until someone decides.
     *
     * @param from sequence of the first missing event
     * @param to sequence of the pool's latest event
     */
    default void unrecoverable(long from, long to) {}

    /**
     * Alarm: Redis went back in time, or the pool is gone from it: the ledger knows more than Redis does. The pool is fenced
     * if it is there.
     *
     * @param recorded sequence of the latest recorded event
     * @param found sequence of the pool's latest event in Redis, -1 if there is no such pool
     */
    default void regressed(long recorded, long found) {}

    /**
     * A pool was rebuilt from the ledger after Redis went back in time, and is open.
     *
     * @param result what it is like now
     */
    default void rebuilt(RebuildResult.Rebuilt result) {}

    /**
     * Alarm: events that only the lost memory of Redis had, as far as this JVM knew of them. Who was told of a unit under one
     * of these numbers does not have it; the units are sold again. Each number is told once, whatever number of nodes knew it.
     * If a node issued units after the loss and before it was noticed, as many more are lost below the first number.
     *
     * @param epoch life of the pool in which they were decided
     * @param from first number
     * @param to last number
     */
    default void lostClaims(long epoch, long from, long to) {}

    /**
     * Alarm: the database refused so many events in a row that the fault cannot be theirs, see
     * {@link RelayOptions.Trouble#maxDead()}. The pool is fenced; it is opened when the database takes the next event.
     *
     * @param error what the database said last
     */
    default void refused(Throwable error) {}

    /**
     * A check ended. {@link ReconcileResult.Drifted} and {@link ReconcileResult.Miscounted} are alarms.
     *
     * @param result what it found and did
     */
    default void reconciled(ReconcileResult result) {}

    /**
     * Alarm: the database does not answer or refuses to record. The relay tries again until it does; nothing is lost.
     *
     * @param error what it said
     */
    default void databaseDown(Throwable error) {}

    /**
     * A {@link KafkaPublisher} published events, and noted it.
     *
     * @param pool whose
     * @param events how many
     */
    default void published(String pool, int events) {}

    /**
     * Alarm: a {@link KafkaPublisher} cannot publish. It tries again until it can; nothing is lost.
     *
     * @param error what Kafka or the database said
     */
    default void publishingFailed(Throwable error) {}

    /** The database records again. */
    default void databaseUp() {}
}
