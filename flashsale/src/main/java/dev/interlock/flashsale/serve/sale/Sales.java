// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.sale;

import dev.interlock.Interlock;
import dev.interlock.flashsale.serve.FlashSaleSettings;
import dev.interlock.flashsale.serve.recording.Recorder;
import dev.interlock.flashsale.serve.sale.Sale.Kind;
import dev.interlock.flashsale.serve.storage.Database;
import dev.interlock.flashsale.serve.web.Caller;
import dev.interlock.flashsale.serve.web.Problem;
import dev.interlock.flashsale.serve.web.RefusedException;
import dev.interlock.pool.CreateResult;
import dev.interlock.pool.Pool;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * All campaigns and products. Knows them in memory, so that issuing needs no database; looks for those that other processes
 * made once a second. Thread-safe.
 */
@Component
public final class Sales {
    private static final Logger log = LoggerFactory.getLogger(Sales.class);
    private static final long REFRESH_MILLIS = 1_000;

    private final Interlock interlock;
    private final SaleStore store;
    private final Database database;
    private final Recorder recorder;
    private final int maxPools;
    private final Map<Long, Sale> known = new ConcurrentSkipListMap<>((a, b) -> Long.compare(b, a));

    /**
     * A sale that a request made.
     *
     * @param sale the sale
     * @param isNew false if the same request had made it before
     */
    public record Made(Sale sale, boolean isNew) {}

    Sales(Interlock interlock, SaleStore store, Database database, Recorder recorder, FlashSaleSettings settings) {
        this.interlock = interlock;
        this.store = store;
        this.database = database;
        this.recorder = recorder;
        this.maxPools = settings.maxPools();
    }

    /** Looks at the database: for sales that other processes made, and for those whose making was cut short. */
    @Scheduled(fixedDelay = REFRESH_MILLIS)
    void refresh() {
        try {
            store.all(maxPools).forEach(this::tryToAdopt);
        } catch (RuntimeException e) {
            log.warn("campaigns and products could not be read again; trying in a second: {}", e.toString());
        }
    }

    /** One that must wait does not keep the others. */
    private void tryToAdopt(Sale found) {
        try {
            adopt(found);
        } catch (RefusedException e) {
            log.info("{} is not there yet; trying in a second: {}", found.pool(), e.getMessage());
        }
    }

    /** Blocking. Watched first: who makes a pool anew must know whether it was sold from before. */
    private void adopt(Sale found) {
        Sale sale = found;
        recorder.watch(sale.pool());
        if (!found.ready()) {
            CreateResult created = interlock.pool(found.pool()).create(found.config());
            if (created instanceof CreateResult.Rebuilding busy) {
                throw new RefusedException(Problem.REBUILDING, "its pool is being rebuilt; come back later")
                        .retryAfter(busy.retryAfter());
            }
            store.ready(found.id());
            sale = store.byId(found.id()).orElse(found);
        }
        known.put(sale.id(), sale);
    }

    /**
     * Makes a campaign or product, once for a request.
     *
     * @param kind which of both
     * @param request its body
     * @param operator who makes it; the user of the caller is that operator
     * @return the sale; fails with a {@link RefusedException} if there are too many, a value breaks a rule, or the request id
     *     was used for another
     */
    public Mono<Made> create(Kind kind, SaleRequest request, Caller operator) {
        Sale wanted = request.checked(kind);
        return database.call(() -> {
            if (known.size() >= maxPools && store.count() >= maxPools) {
                throw new RefusedException(
                        Problem.CONFLICT, "there are " + maxPools + " campaigns and products already");
            }
            Sale made = store.insert(wanted, request, operator);
            boolean isNew = !made.ready();
            adopt(made);
            return new Made(known.getOrDefault(made.id(), made), isNew);
        });
    }

    /**
     * Finds one that exists.
     *
     * @param kind which kind
     * @param id its id
     * @return the sale; fails with {@link Problem#NOT_FOUND} if there is none
     */
    public Mono<Sale> find(Kind kind, long id) {
        Sale sale = known.get(id);
        Mono<Sale> found = sale != null
                ? Mono.just(sale)
                : database.call(() -> store.byId(id).orElse(null));
        return found.filter(each -> each.kind() == kind)
                .switchIfEmpty(Mono.error(
                        () -> new RefusedException(Problem.NOT_FOUND, "there is no " + kind.text() + " " + id)));
    }

    /**
     * The one that is known without asking the database.
     *
     * @param kind which kind
     * @param id its id
     * @return the sale, or empty if this process does not know it yet, or it does not exist
     */
    public Optional<Sale> known(Kind kind, long id) {
        return Optional.ofNullable(known.get(id)).filter(sale -> sale.kind() == kind);
    }

    /**
     * All of a kind.
     *
     * @param kind which kind
     * @return the sales, newest first
     */
    public List<Sale> all(Kind kind) {
        return known.values().stream().filter(sale -> sale.kind() == kind).toList();
    }

    /**
     * The pool of a sale.
     *
     * @param sale the sale
     * @return its pool
     */
    public Pool pool(Sale sale) {
        return interlock.pool(sale.pool());
    }

    /** Notes that units were added in Redis. */
    Mono<Sale> addUnits(Sale sale, long units) {
        return changed(sale, () -> store.addUnits(sale.id(), units));
    }

    /** Notes that the times were changed in Redis. */
    Mono<Sale> times(Sale sale, @Nullable Instant opensAt, @Nullable Instant closesAt) {
        return changed(sale, () -> store.times(sale.id(), opensAt, closesAt));
    }

    private Mono<Sale> changed(Sale sale, Runnable update) {
        return database.call(() -> {
            update.run();
            adopt(store.byId(sale.id()).orElse(sale));
            return known.getOrDefault(sale.id(), sale);
        });
    }
}
