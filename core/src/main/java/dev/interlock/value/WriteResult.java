// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

/**
 * What {@link Versioned#compareAndSet(long, Object)} decided.
 *
 * @param <T> type of the value
 */
public sealed interface WriteResult<T> {
    /**
     * The value was written or deleted, by this call or by an earlier one with the same request id.
     *
     * @param version the version that this gave it
     */
    record Written<T>(long version) implements WriteResult<T> {}

    /** There is no value. Nothing changed. */
    record NotFound<T>() implements WriteResult<T> {}

    /**
     * The value has another version than expected. Nothing changed.
     *
     * @param current what was there instead
     */
    record Conflict<T>(Versioned.Snapshot<T> current) implements WriteResult<T> {}
}
