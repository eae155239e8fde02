// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

/**
 * What {@link AtomicValue#compareAndSet(Object, Object)} decided.
 *
 * @param <T> type of the value
 */
public sealed interface CasResult<T> {
    /**
     * The value was the expected one and is the new one now, or was so when an earlier call with the same request id made
     * the swap.
     */
    record Success<T>() implements CasResult<T> {}

    /** There is no value. Nothing changed. */
    record NotFound<T>() implements CasResult<T> {}

    /**
     * The value is another one than expected. Nothing changed.
     *
     * @param current the value that was there instead
     */
    record Conflict<T>(T current) implements CasResult<T> {}
}
