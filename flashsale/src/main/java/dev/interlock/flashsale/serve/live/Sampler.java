// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.live;

import dev.interlock.flashsale.serve.decision.Decisions;
import dev.interlock.flashsale.serve.decision.Outcome;
import dev.interlock.flashsale.serve.limit.UserLimit;
import dev.interlock.flashsale.serve.live.LiveView.CampaignRow;
import dev.interlock.flashsale.serve.live.LiveView.LimitRow;
import dev.interlock.flashsale.serve.live.LiveView.LockRow;
import dev.interlock.flashsale.serve.live.LiveView.ProductRow;
import dev.interlock.flashsale.serve.sale.Sale.Kind;
import dev.interlock.flashsale.serve.sale.SaleViews;
import dev.interlock.flashsale.serve.sale.SaleViews.WithState;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Takes one picture of everything. Used by one thread at a time; blocking. */
@Component
final class Sampler {
    private final Decisions decisions;
    private final UserLimit limit;
    private final SaleViews sales;
    private final LiveRows rows;
    private final ScriptHealth scripts;
    private final LockWatch locks;
    private final Rushes rushes;

    private long lastNanos = System.nanoTime();
    private Map<Outcome, Long> countsBefore = Map.of();
    private long allowedBefore;
    private long deniedBefore;

    Sampler(
            Decisions decisions,
            UserLimit limit,
            SaleViews sales,
            LiveParts parts) {
        this.decisions = decisions;
        this.limit = limit;
        this.sales = sales;
        this.rows = parts.rows();
        this.scripts = parts.scripts();
        this.locks = parts.locks();
        this.rushes = parts.rushes();
    }

    /** Everything now, with rates since the last call. */
    LiveView take() {
        long now = System.nanoTime();
        double seconds = Math.max(0.001, (now - lastNanos) / (double) TimeUnit.SECONDS.toNanos(1));
        lastNanos = now;
        List<CampaignRow> campaigns = states(Kind.CAMPAIGN).stream().map(rows::campaign).toList();
        List<ProductRow> products = rows.products(states(Kind.PRODUCT));
        List<LockRow> held = locks.rows();
        return new LiveView(
                Instant.now(),
                seconds,
                decisions(seconds),
                campaigns,
                products,
                held,
                locks.complete(),
                List.of(limit(seconds)),
                scripts.rows(seconds),
                rushes.current());
    }

    private List<WithState> states(Kind kind) {
        Mono<List<WithState>> all = sales.withStates(kind);
        List<WithState> read = all.block();
        return read == null ? List.of() : read;
    }

    private LiveView.Decisions decisions(double seconds) {
        Decisions.Sample sample = decisions.sample();
        Map<String, Double> rates = new LinkedHashMap<>();
        long made = 0;
        long all = 0;
        for (Map.Entry<Outcome, Long> each : sample.counts().entrySet()) {
            long fresh = each.getValue() - countsBefore.getOrDefault(each.getKey(), 0L);
            rates.put(each.getKey().text(), fresh / seconds);
            made += fresh;
            all += each.getValue();
        }
        countsBefore = sample.counts();
        Histogram times = sample.times();
        return new LiveView.Decisions(rates, made / seconds, all, micros(times, 50), micros(times, 99));
    }

    private static @Nullable Double micros(Histogram times, double percent) {
        return times.getTotalCount() == 0 ? null : times.getValueAtPercentile(percent) / 1_000.0;
    }

    private LimitRow limit(double seconds) {
        long allowed = limit.allowed();
        long denied = limit.denied();
        LimitRow row = new LimitRow(
                UserLimit.NAME,
                limit.policy(),
                (allowed - allowedBefore) / seconds,
                (denied - deniedBefore) / seconds,
                scripts.away(UserLimit.NAME));
        allowedBefore = allowed;
        deniedBefore = denied;
        return row;
    }
}
