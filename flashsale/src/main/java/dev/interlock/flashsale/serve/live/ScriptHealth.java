// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.live;

import dev.interlock.InterlockListener;
import dev.interlock.flashsale.serve.live.LiveView.ScriptRow;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.stereotype.Component;

/** Counts what happens to script calls, for the page. Thread-safe. Script names are few and fixed. */
@Component
final class ScriptHealth implements InterlockListener {
    private final Map<String, Counts> scripts = new ConcurrentSkipListMap<>();
    private final Set<String> limitersAway = ConcurrentHashMap.newKeySet();

    private static final class Counts {
        private final LongAdder calls = new LongAdder();
        private final LongAdder nanos = new LongAdder();
        private final LongAdder noScript = new LongAdder();
        private final LongAdder busy = new LongAdder();
        private final LongAdder crossSlot = new LongAdder();
        private final LongAdder resent = new LongAdder();
        private final LongAdder unknown = new LongAdder();
        private final LongAdder failed = new LongAdder();
        /** As of the last sample; touched by the sampler only. */
        private long callsBefore;

        private long nanosBefore;

        private ScriptRow row(String name, double seconds) {
            long callsNow = calls.sum();
            long nanosNow = nanos.sum();
            long made = callsNow - callsBefore;
            Double mean = made == 0 ? null : (nanosNow - nanosBefore) / 1_000.0 / made;
            callsBefore = callsNow;
            nanosBefore = nanosNow;
            return new ScriptRow(
                    name,
                    made / seconds,
                    mean,
                    callsNow,
                    noScript.sum(),
                    busy.sum(),
                    crossSlot.sum(),
                    resent.sum(),
                    unknown.sum(),
                    failed.sum());
        }
    }

    private Counts of(String script) {
        return scripts.computeIfAbsent(script, name -> new Counts());
    }

    @Override
    public void scriptCompleted(String script, Outcome outcome, long nanos) {
        Counts counts = of(script);
        counts.calls.increment();
        counts.nanos.add(nanos);
        switch (outcome) {
            case BUSY -> counts.busy.increment();
            case UNKNOWN -> counts.unknown.increment();
            case SCRIPT_ERROR, NOT_EXECUTED -> counts.failed.increment();
            case DONE -> {}
        }
    }

    @Override
    public void scriptReloaded(String script) {
        of(script).noScript.increment();
    }

    @Override
    public void scriptResent(String script) {
        of(script).resent.increment();
    }

    @Override
    public void crossSlotRefused(String script) {
        of(script).crossSlot.increment();
    }

    @Override
    public void limiterAway(String limiter) {
        limitersAway.add(limiter);
    }

    @Override
    public void limiterBack(String limiter) {
        limitersAway.remove(limiter);
    }

    boolean away(String limiter) {
        return limitersAway.contains(limiter);
    }

    /** Rates since the last call; only one caller may. */
    List<ScriptRow> rows(double seconds) {
        return scripts.entrySet().stream()
                .map(each -> each.getValue().row(each.getKey(), seconds))
                .toList();
    }
}
