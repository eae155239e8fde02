// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Whether a history of overlapping calls of one object could have happened one call after the other, each at one moment
 * between its begin and its end: the search of Wing and Gong ("Testing and Verifying Concurrent Objects", 1993) with the
 * memo of Lowe ("Testing for linearizability", 2017).
 */
final class Linearizability {
    private Linearizability() {}

    /**
     * One call. Its step gives the state after it, or empty if its result is impossible in the state before. A call whose
     * outcome is unknown never ends, may have any result, and may never have happened.
     */
    record Call<S>(String text, long begin, long end, Function<S, Optional<S>> step) {
        static final long NEVER = Long.MAX_VALUE;

        boolean open() {
            return end == NEVER;
        }
    }

    /** Thrown where the answer was not found in time; that is no pass. */
    static final class BudgetExceeded extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Whether such an order exists, searched in at most so many steps. */
    static <S> boolean holds(S initial, List<Call<S>> calls, long budget) {
        return new Search<>(calls).run(initial, budget);
    }

    /** A begin or an end, in a list from which linearized calls are taken out and put back. */
    private static final class Event<S> {
        final Call<S> call;
        final int number;
        final boolean begin;
        Event<S> end;
        Event<S> previous;
        Event<S> next;

        Event(Call<S> call, int number, boolean begin) {
            this.call = call;
            this.number = number;
            this.begin = begin;
        }

        long time() {
            return begin ? call.begin() : call.end();
        }

        void takeOut() {
            previous.next = next;
            if (next != null) {
                next.previous = previous;
            }
        }

        void putBack() {
            previous.next = this;
            if (next != null) {
                next.previous = this;
            }
        }
    }

    private record Done<S>(Event<S> event, S before) {}

    private record Seen<S>(BitSet linearized, S state) {}

    private static final class Search<S> {
        private final Event<S> head = new Event<>(null, -1, false);
        private final Deque<Done<S>> order = new ArrayDeque<>();
        private final Set<Seen<S>> seen = new HashSet<>();
        private final BitSet linearized = new BitSet();
        private long mustHappen;

        Search(List<Call<S>> calls) {
            List<Event<S>> events = new ArrayList<>();
            for (int i = 0; i < calls.size(); i++) {
                Event<S> begin = new Event<>(calls.get(i), i, true);
                events.add(begin);
                if (!calls.get(i).open()) {
                    begin.end = new Event<>(calls.get(i), i, false);
                    events.add(begin.end);
                    mustHappen++;
                }
            }
            // Begins before ends of the same nanosecond: those calls may have overlapped.
            events.sort(Comparator.<Event<S>>comparingLong(Event::time).thenComparing(event -> !event.begin));
            Event<S> last = head;
            for (Event<S> event : events) {
                last.next = event;
                event.previous = last;
                last = event;
            }
        }

        boolean run(S initial, long budget) {
            S state = initial;
            Event<S> at = head.next;
            for (long steps = 0; mustHappen > 0; steps++) {
                if (steps >= budget) {
                    throw new BudgetExceeded();
                }
                if (at != null && at.begin) {
                    Optional<S> after = at.call.step().apply(state);
                    if (after.isPresent() && useful(at, state, after.get()) && linearize(at, state, after.get())) {
                        state = after.get();
                        at = head.next;
                    } else {
                        at = at.next;
                    }
                } else if (order.isEmpty()) {
                    return false;
                } else {
                    Done<S> last = order.pop();
                    undo(last.event());
                    state = last.before();
                    at = last.event().next;
                }
            }
            return true;
        }

        /** A call that may never have happened matters only if it changes something. */
        private boolean useful(Event<S> event, S before, S after) {
            return !event.call.open() || !after.equals(before);
        }

        private boolean linearize(Event<S> event, S before, S after) {
            BitSet with = (BitSet) linearized.clone();
            with.set(event.number);
            if (!seen.add(new Seen<>(with, after))) {
                return false;
            }
            linearized.set(event.number);
            order.push(new Done<>(event, before));
            event.takeOut();
            if (event.end != null) {
                event.end.takeOut();
                mustHappen--;
            }
            return true;
        }

        private void undo(Event<S> event) {
            linearized.clear(event.number);
            if (event.end != null) {
                event.end.putBack();
                mustHappen++;
            }
            event.putBack();
        }
    }
}
