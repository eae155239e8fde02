// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps what a listener is told. */
final class Notes implements LedgerListener {
    final AtomicInteger recorded = new AtomicInteger();
    final List<DeadEvent> poison = new CopyOnWriteArrayList<>();
    final List<String> losses = new CopyOnWriteArrayList<>();
    final List<String> unrecoverable = new CopyOnWriteArrayList<>();
    final List<String> regressions = new CopyOnWriteArrayList<>();
    final List<RebuildResult.Rebuilt> rebuilt = new CopyOnWriteArrayList<>();
    /** Numbers of lost events. */
    final Set<Long> lost = ConcurrentHashMap.newKeySet();

    final List<Throwable> refusals = new CopyOnWriteArrayList<>();
    final List<ReconcileResult> checks = new CopyOnWriteArrayList<>();
    final AtomicInteger downs = new AtomicInteger();
    final AtomicInteger ups = new AtomicInteger();

    @Override
    public void recorded(int events, long lag) {
        recorded.addAndGet(events);
    }

    @Override
    public void poison(DeadEvent event) {
        poison.add(event);
    }

    @Override
    public void lostEvents(long from, long to) {
        losses.add(from + ".." + to);
    }

    @Override
    public void unrecoverable(long from, long to) {
        unrecoverable.add(from + ".." + to);
    }

    @Override
    public void regressed(long last, long found) {
        regressions.add(last + ">" + found);
    }

    @Override
    public void rebuilt(RebuildResult.Rebuilt result) {
        rebuilt.add(result);
    }

    @Override
    public void lostClaims(long epoch, long from, long to) {
        for (long sequence = from; sequence <= to; sequence++) {
            assertThat(lost.add(sequence)).as("each number is told once").isTrue();
        }
    }

    @Override
    public void refused(Throwable error) {
        refusals.add(error);
    }

    @Override
    public void reconciled(ReconcileResult result) {
        checks.add(result);
    }

    @Override
    public void databaseDown(Throwable error) {
        downs.incrementAndGet();
    }

    @Override
    public void databaseUp() {
        ups.incrementAndGet();
    }
}
