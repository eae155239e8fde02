// SPDX-License-Identifier: Apache-2.0
package dev.interlock.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** All that happened in a run, in one file: every call, every fault, and first of all the seed. */
final class History {
    /** What became of a call. */
    enum Phase {
        OK,
        /** Redis decided, but the caller got nothing: the lock is held by another, the lease was lost. */
        REFUSED,
        NOT_EXECUTED,
        UNKNOWN,
        /** What no fault excuses. */
        WRONG
    }

    /** One call, or a fault that took no time. */
    record Event(long start, long end, String flow, Phase phase, String request, String result) {
        String json() {
            return "{\"start\":" + start + ",\"end\":" + end + ",\"flow\":\"" + flow + "\",\"phase\":\"" + phase
                    + "\",\"request\":\"" + request + "\",\"result\":\""
                    + result.replaceAll("[\"\\\\\\p{Cntrl}]", "'") + "\"}";
        }
    }

    private static final String FAULT = "fault";

    private final String run;
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();

    History(String run, long seed) {
        this.run = run;
        System.out.println(run + ": seed " + seed);
        fault("seed " + seed);
    }

    void add(Event event) {
        events.add(event);
    }

    /** Notes a fault, or that one is over. */
    void fault(String what) {
        long now = System.nanoTime();
        events.add(new Event(now, now, FAULT, Phase.OK, "", what));
    }

    Stream<Event> calls() {
        return events.stream().filter(event -> !event.flow().equals(FAULT));
    }

    long count(Phase phase) {
        return calls().filter(event -> event.phase() == phase).count();
    }

    /** Calls of this outcome, for messages; only the first ones. */
    List<String> some(Phase phase) {
        return calls().filter(event -> event.phase() == phase)
                .limit(5)
                .map(Event::json)
                .toList();
    }

    /** The longest time in which a flow had no success, from one success to the next. */
    Duration longestGap(String flow) {
        long last = Long.MAX_VALUE;
        long longest = 0;
        for (Event event :
                (Iterable<Event>) calls().filter(e -> e.flow().equals(flow) && e.phase() == Phase.OK)::iterator) {
            longest = Math.max(longest, event.end() - last);
            last = event.end();
        }
        return Duration.ofNanos(longest);
    }

    String summary() {
        StringBuilder text = new StringBuilder(run);
        for (Phase phase : Phase.values()) {
            text.append(", ").append(phase).append(' ').append(count(phase));
        }
        return text.toString();
    }

    /** Writes one line for each event. */
    void write() {
        Path file = Path.of("target", "histories", run + ".jsonl");
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, (Iterable<String>) events.stream().map(Event::json)::iterator);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
