// SPDX-License-Identifier: Apache-2.0
package dev.interlock.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.InterlockException;
import dev.interlock.NotExecutedException;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.ScriptMode;
import dev.interlock.fault.History.Event;
import dev.interlock.fault.History.Phase;
import dev.interlock.lock.LeaseLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Steady traffic on all primitives while faults happen: a thread for each flow. */
final class Traffic implements AutoCloseable {
    /** Liveness: how long after the last fault every flow may need to succeed. */
    static final Duration HEALED = Duration.ofSeconds(10);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    final History history;
    private final List<Flow> flows;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    /**
     * Two Interlocks as two JVMs have them.
     *
     * @param digests runs scripts by their digests
     * @param functions runs scripts as functions
     * @param timeout of each call
     */
    record Jvms(Interlock digests, Interlock functions, Duration timeout) implements AutoCloseable {
        static Jvms connect(Duration timeout, String... uris) {
            Interlock digests =
                    Interlock.builder().uri(uris).commandTimeout(timeout).build();
            return new Jvms(
                    digests,
                    Interlock.builder()
                            .uri(uris)
                            .commandTimeout(timeout)
                            .scriptMode(ScriptMode.FUNCTION)
                            .build(),
                    timeout);
        }

        @Override
        public void close() {
            digests.close();
            functions.close();
        }
    }

    private Traffic(History history, List<Flow> flows) {
        this.history = history;
        this.flows = flows;
    }

    /**
     * Starts, and waits until every flow had its first success.
     *
     * @param history of the run
     * @param jvms two Interlocks as two JVMs have them
     * @param tags hash tags to put the keys under: each flow runs once under every tag
     */
    static Traffic start(History history, Jvms jvms, List<String> tags) {
        List<Flow> flows = new ArrayList<>();
        for (int i = 0; i < tags.size(); i++) {
            Interlock one = i % 2 == 0 ? jvms.digests() : jvms.functions();
            Interlock other = i % 2 == 0 ? jvms.functions() : jvms.digests();
            String tag = tags.get(i);
            Resource resource = new Resource();
            flows.add(new LockFlow("lock-a-" + i, one.lock(tag, LockFlow.OPTIONS), resource, jvms.timeout()));
            flows.add(new LockFlow("lock-b-" + i, other.lock(tag, LockFlow.OPTIONS), resource, jvms.timeout()));
            flows.add(new StockFlow("stock-" + i, other.stock(tag)));
            flows.add(new PoolFlow("pool-" + i, one, tag));
            flows.add(new VersionFlow("version-" + i, other, tag));
            flows.add(new LimitFlow("limit-" + i, one, tag, jvms.timeout()));
        }
        Traffic traffic = new Traffic(history, flows);
        for (Flow flow : flows) {
            Thread thread = new Thread(() -> traffic.run(flow), flow.name);
            thread.setDaemon(true);
            traffic.threads.add(thread);
            thread.start();
        }
        traffic.awaitSuccessOfAll();
        return traffic;
    }

    private void run(Flow flow) {
        while (!stopped) {
            long start = System.nanoTime();
            Event event = step(flow, start);
            history.add(event);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static Event step(Flow flow, long start) {
        Phase phase;
        String result;
        try {
            result = flow.step();
            phase = result.isEmpty() ? Phase.REFUSED : Phase.OK;
        } catch (OutcomeUnknownException e) {
            phase = Phase.UNKNOWN;
            result = e.getMessage();
        } catch (NotExecutedException e) {
            phase = Phase.NOT_EXECUTED;
            result = e.getMessage();
        } catch (LeaseLostException e) {
            phase = Phase.REFUSED;
            result = e.getMessage();
        } catch (InterlockException | IllegalStateException | AssertionError e) {
            phase = Phase.WRONG;
            result = e.toString();
        }
        return new Event(start, System.nanoTime(), flow.name, phase, flow.requestId(), String.valueOf(result));
    }

    /** Waits until every flow had a success that began after now. */
    void awaitSuccessOfAll() {
        long from = System.nanoTime();
        long end = from + HEALED.toNanos();
        List<String> waiting = names();
        while (!waiting.isEmpty()) {
            List<String> succeeded = history.calls()
                    .filter(event -> event.phase() == Phase.OK && event.start() >= from)
                    .map(Event::flow)
                    .distinct()
                    .toList();
            waiting = names().stream().filter(name -> !succeeded.contains(name)).toList();
            assertThat(System.nanoTime())
                    .as("no success within %s: %s", HEALED, waiting)
                    .isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    List<String> names() {
        return flows.stream().map(flow -> flow.name).toList();
    }

    /** Waits until all flows succeed again, ends them, and checks all that they saw. */
    void finish(boolean lossless) {
        awaitSuccessOfAll();
        stop();
        System.out.println(history.summary());
        assertThat(history.count(Phase.WRONG))
                .as("%s", history.some(Phase.WRONG))
                .isZero();
        flows.forEach(flow -> flow.verify(lossless));
    }

    /** That no flow was without success for longer than the fault itself and the time it takes to notice. */
    void recoveredWithin(Duration limit) {
        for (String flow : names()) {
            assertThat(history.longestGap(flow)).as(flow).isLessThanOrEqualTo(limit);
        }
    }

    /** That the run met trouble, or it would have proved nothing. */
    void metTrouble() {
        assertThat(history.count(Phase.NOT_EXECUTED) + history.count(Phase.UNKNOWN))
                .as("calls in trouble")
                .isPositive();
    }

    /** That nobody noticed anything. */
    void metNoTrouble() {
        assertThat(history.some(Phase.NOT_EXECUTED)).isEmpty();
        assertThat(history.some(Phase.UNKNOWN)).isEmpty();
    }

    Duration longestGap() {
        return names().stream()
                .map(history::longestGap)
                .max(Duration::compareTo)
                .orElseThrow();
    }

    private void stop() {
        stopped = true;
        for (Thread thread : threads) {
            try {
                thread.join(HEALED.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        stop();
        history.write();
    }
}
