// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/**
 * A value on Redis that refuses writers whose fence is older than one it has seen: the half of a lock that belongs to the
 * resource. A holder that was paused beyond its lease cannot overwrite what its successor wrote.
 *
 * <p>Guarantees: a write takes effect only if no larger fence has written; checked and written in one script. A writer may
 * write again with its own fence. Does not guarantee that a write of an older holder does not come just before the first of
 * its successor. The largest fence stays beside the value without a TTL: it must not be forgotten. Remove both keys with the
 * resource. Failures as those of {@link DistributedLock}. One script call each, O(1).
 *
 * <p>For scripts of your own, {@link Fences#LUA_CHECK} is the same check as Lua text.
 */
public interface FencedValue {
    /**
     * Writes the value.
     *
     * @param fence of the writer's lease, 1 to 2^53 − 1
     * @param value new value, at most 1 MiB of UTF-8
     * @return false if a larger fence has written before; then nothing changed
     * @throws IllegalArgumentException before anything is sent, if an argument lies outside
     */
    boolean set(long fence, String value);

    /**
     * Removes the value; the fence stays.
     *
     * @param fence as in {@link #set}
     * @return as {@link #set}
     * @throws IllegalArgumentException before anything is sent, if the fence lies outside
     */
    boolean delete(long fence);

    /**
     * Notes a fence without writing, for a resource that is elsewhere and has no place for a fence. Weaker than a check that
     * the resource does itself: between the check and the write the holder may be paused.
     *
     * @param fence as in {@link #set}
     * @return false if a larger fence was seen before
     * @throws IllegalArgumentException before anything is sent, if the fence lies outside
     */
    boolean admit(long fence);

    /**
     * The same operations without waiting.
     *
     * @return the asynchronous view
     */
    Async async();

    /**
     * The same operations for Reactor; nothing is sent before subscription.
     *
     * @return the reactive view
     */
    Reactive reactive();

    /** As {@link FencedValue}. */
    interface Async {
        /** As {@link FencedValue#set(long, String)}. */
        CompletionStage<Boolean> set(long fence, String value);

        /** As {@link FencedValue#delete(long)}. */
        CompletionStage<Boolean> delete(long fence);

        /** As {@link FencedValue#admit(long)}. */
        CompletionStage<Boolean> admit(long fence);
    }

    /** As {@link FencedValue}. */
    interface Reactive {
        /** As {@link FencedValue#set(long, String)}. */
        Mono<Boolean> set(long fence, String value);

        /** As {@link FencedValue#delete(long)}. */
        Mono<Boolean> delete(long fence);

        /** As {@link FencedValue#admit(long)}. */
        Mono<Boolean> admit(long fence);
    }
}
