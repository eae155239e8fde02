// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.internal.Text;
import dev.interlock.limit.Decision.Origin;
import dev.interlock.limit.Decision.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests that share a script call: grouped by user, and within a user into runs of equal requests that follow each other.
 * A run is decided in one step, in Redis and here.
 */
final class Batch {
    private static final byte[] ONE = Text.bytes(1);

    private final LimiterSpec limiter;
    private final List<Request> requests;
    private final Run[] runOf;
    private final Map<String, List<Run>> users = new LinkedHashMap<>();

    Batch(LimiterSpec limiter, List<Request> requests) {
        this.limiter = limiter;
        this.requests = requests;
        this.runOf = new Run[requests.size()];
        Request previous = null;
        for (int i = 0; i < runOf.length; i++) {
            Request request = requests.get(i);
            // The usual case of a hot key needs no look-up.
            boolean same = previous != null && previous.isLike(request);
            Run run = same ? runOf[i - 1] : runFor(request);
            run.count++;
            runOf[i] = run;
            previous = request;
        }
    }

    private Run runFor(Request request) {
        List<Run> runs = users.computeIfAbsent(request.key(), key -> new ArrayList<>(1));
        Run last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
        if (last != null && last.takes(request)) {
            return last;
        }
        Run run = new Run(request.units(), request.patienceMicros());
        runs.add(run);
        return run;
    }

    byte[][] keys(byte[] lane) {
        byte[][] keys = new byte[1 + users.size() * limiter.limits.size()][];
        keys[0] = lane;
        int next = 1;
        for (String user : users.keySet()) {
            byte[][] states = limiter.states(user);
            System.arraycopy(states, 0, keys, next, states.length);
            next += states.length;
        }
        return keys;
    }

    byte[][] args(byte[]... head) {
        List<byte[]> args = new ArrayList<>(head.length + limiter.args.length + users.size());
        args.addAll(List.of(head));
        args.addAll(List.of(limiter.args));
        for (List<Run> runs : users.values()) {
            args.add(argument(runs));
        }
        return args.toArray(byte[][]::new);
    }

    private static byte[] argument(List<Run> runs) {
        Run first = runs.get(0);
        if (runs.size() == 1 && first.count == 1 && first.patience == 0) {
            return first.units == 1 ? ONE : Text.bytes(first.units);
        }
        StringBuilder text = new StringBuilder();
        for (Run run : runs) {
            text.append(run.units)
                    .append(' ')
                    .append(run.count)
                    .append(' ')
                    .append(run.patience)
                    .append(';');
        }
        return Text.bytes(text.toString());
    }

    /** The decision of each request; it is broken for those whose key holds something else. */
    List<Decision> decide(Answer answer, Receipt.Call call) {
        long now = answer.next();
        for (List<Run> runs : users.values()) {
            for (Run run : runs) {
                run.read(answer, now, limiter.specs);
            }
        }
        List<Decision> decisions = new ArrayList<>(runOf.length);
        for (int i = 0; i < runOf.length; i++) {
            String user = requests.get(i).key();
            decisions.add(runOf[i].decide(limiter, user, now, call, i));
        }
        return decisions;
    }

    /** The judgement of the only request; nothing was taken. */
    Decision judge(Answer answer) {
        long now = answer.next();
        Run run = runOf[0];
        run.read(answer, now, limiter.specs);
        return run.decide(limiter, requests.get(0).key(), now, null, 0);
    }

    /** Equal requests of one user that follow each other. */
    private static final class Run {
        final long units;
        final long patience;
        long count;
        private long granted;
        private long wait;
        private long next;
        private long[] numbers = {};

        Run(long units, long patience) {
            this.units = units;
            this.patience = patience;
        }

        boolean takes(Request request) {
            return patience == 0 && request.patienceMicros() == 0 && request.units() == units;
        }

        void read(Answer answer, long now, List<LimitSpec> specs) {
            granted = answer.next();
            wait = answer.next();
            numbers = new long[3 * specs.size()];
            for (int i = 0; i < specs.size(); i++) {
                LimitSpec spec = specs.get(i);
                if (spec.kind() == LimitSpec.GCRA) {
                    long moment = answer.hex(LimitSpec.MOMENT_DIGITS);
                    numbers[3 * i + 1] = moment == 0 ? 0 : moment - now;
                    numbers[3 * i + 2] = answer.hex(spec.restDigits());
                    numbers[3 * i] = spec.unitsLeft(numbers[3 * i + 1], numbers[3 * i + 2]);
                    answer.skip();
                } else {
                    numbers[3 * i] = answer.next();
                    numbers[3 * i + 1] = answer.next();
                    numbers[3 * i + 2] = answer.next();
                }
            }
        }

        /** The decision of the next request in order, or without a call only the judgement. */
        Decision decide(LimiterSpec limiter, String key, long now, Receipt.@Nullable Call call, int index) {
            boolean allowed = next < granted;
            boolean takes = allowed && call != null;
            next += takes ? 1 : 0;
            long delay = takes && patience > 0 ? wait : 0;
            Receipt receipt = takes && call != null ? new Receipt(key, units, now + delay, call, index) : null;
            if (granted < 0) {
                return new Decision(Verdict.BROKEN, limiter.limits.get(0), List.of(), Origin.REDIS, null);
            }
            long remaining = Long.MAX_VALUE;
            long reset = 0;
            int tightest = 0;
            List<Limit> violated = allowed ? List.of() : new ArrayList<>(1);
            for (int i = 0; i < limiter.specs.size(); i++) {
                LimitSpec spec = limiter.specs.get(i);
                long left = delay > 0 ? 0 : Math.max(0, numbers[3 * i] - next * units);
                long until = spec.resetMicros(numbers[3 * i + 1], numbers[3 * i + 2], next, units, !takes);
                reset = Math.max(reset, until - delay);
                if (!allowed && left < units) {
                    violated.add(spec.limit());
                }
                if (left < remaining) {
                    remaining = left;
                    tightest = i;
                }
            }
            Verdict verdict = new Verdict(allowed, remaining, allowed ? 0 : wait, reset, delay);
            return new Decision(verdict, limiter.limits.get(tightest), violated, Origin.REDIS, receipt);
        }
    }
}
