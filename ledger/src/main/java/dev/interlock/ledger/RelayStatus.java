// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

/**
 * How a {@link Relay} is doing, for health checks and back-pressure.
 *
 * @param state what it does now
 * @param recorded sequence of the latest event it knows to be recorded, -1 if none
 * @param lag how many more events the pool had made when the relay last asked
 */
public record RelayStatus(State state, long recorded, long lag) {
    /** What a relay does. */
    public enum State {
        /** Records, or waits for events. */
        RECORDING,
        /** Another relay holds the lease; takes over when it ends. */
        STANDBY,
        /** There is no such pool in Redis. */
        NO_POOL,
        /** Redis or the database fails; tries again. */
        RETRYING,
        /** Entries were lost; the pool is fenced while their events are derived, or for good if they cannot be. */
        REBUILDING,
        /** Redis went back in time; the pool is fenced until it is rebuilt or starts a higher epoch. */
        REGRESSED,
        /** The database refused too many events in a row; the pool is fenced until it takes the next one. */
        REFUSED,
        /** Not started, or closed. */
        STOPPED
    }
}
