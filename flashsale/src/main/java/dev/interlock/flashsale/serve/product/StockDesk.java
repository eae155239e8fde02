// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.product;

import dev.interlock.Interlock;
import dev.interlock.flashsale.serve.sale.Sale;
import dev.interlock.flashsale.serve.storage.Database;
import dev.interlock.flashsale.serve.web.Caller;
import dev.interlock.flashsale.serve.web.Problem;
import dev.interlock.flashsale.serve.web.RefusedException;
import dev.interlock.ledger.FenceGuard;
import dev.interlock.lock.Lease;
import dev.interlock.lock.LeaseLostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Decreases a database row under a lock: the lock {@code stock:<id>} keeps the processes apart, and the fence in the row keeps
 * out a holder that was paused beyond its lease. Each request decreases once. Thread-safe.
 */
@Component
public final class StockDesk {
    private static final Duration WAIT = Duration.ofSeconds(3);
    private static final Duration COMMIT = Duration.ofMillis(500);

    private final Interlock interlock;
    private final Database database;
    private final FenceGuard guard;
    private final Map<String, Integer> waiting = new ConcurrentHashMap<>();

    /**
     * A decrease that took place.
     *
     * @param productId of which product
     * @param quantity by how many pieces
     * @param pieces left in the row after it
     * @param fence fence of the lease under which it was written
     * @param replayed whether this request had done it before
     */
    record Decreased(long productId, long quantity, long pieces, long fence, boolean replayed) {}

    StockDesk(Interlock interlock, Database database) {
        this.interlock = interlock;
        this.database = database;
        this.guard = new FenceGuard(database.source());
    }

    /**
     * How many requests of this process wait for a lock.
     *
     * @param lock name of the lock
     * @return their number
     */
    public int waiting(String lock) {
        return waiting.getOrDefault(lock, 0);
    }

    /**
     * What is in the rows of all products. Blocking.
     *
     * @return pieces by product id
     */
    public Map<Long, Long> pieces() {
        Map<Long, Long> pieces = new HashMap<>();
        database.jdbc().sql("SELECT product_id, pieces FROM flashsale_stock").query(row -> {
            pieces.put(row.getLong(1), row.getLong(2));
        });
        return pieces;
    }

    Mono<Decreased> decrease(Sale product, Caller caller, long quantity) {
        String lock = "stock:" + product.id();
        Request request = new Request(product.id(), caller, quantity);
        return Mono.defer(() -> {
            waiting.merge(lock, 1, Integer::sum);
            Runnable served = once(() -> waiting.computeIfPresent(lock, (name, n) -> n == 1 ? null : n - 1));
            return interlock.lock(lock)
                    .reactive()
                    .withLease(WAIT, lease -> {
                        served.run();
                        return database.transaction(() -> decrease(request, lease));
                    })
                    .doFinally(signal -> served.run());
        });
    }

    private static Runnable once(Runnable action) {
        AtomicBoolean done = new AtomicBoolean();
        return () -> {
            if (done.compareAndSet(false, true)) {
                action.run();
            }
        };
    }

    private record Request(long product, Caller caller, long quantity) {}

    /** In a transaction, under the lock. */
    private Decreased decrease(Request request, Lease lease) {
        Optional<Decreased> before = before(request);
        if (before.isPresent()) {
            if (before.get().quantity() != request.quantity()) {
                throw new RefusedException(Problem.REQUEST_ID_REUSED, "it decreased by another quantity");
            }
            return before.get();
        }
        long quantity = request.quantity();
        int rows = guard.update(
                "flashsale_stock",
                "pieces = pieces - ?",
                "product_id = ? AND pieces >= ?",
                lease.fence(),
                quantity,
                request.product(),
                quantity);
        long pieces = pieces(request.product());
        if (rows == 0) {
            if (pieces >= quantity) {
                throw new LeaseLostException("a later holder has written");
            }
            throw new RefusedException(Problem.SOLD_OUT, "fewer pieces are left").with("pieces", pieces);
        }
        write(request, pieces, lease.fence());
        lease.ensureValid(COMMIT);
        return new Decreased(request.product(), quantity, pieces, lease.fence(), false);
    }

    private Optional<Decreased> before(Request request) {
        return database.jdbc()
                .sql("SELECT quantity, pieces, fence FROM flashsale_decrease"
                        + " WHERE product_id = :product AND user_id = :user AND request_id = :request")
                .param("product", request.product())
                .param("user", request.caller().user())
                .param("request", request.caller().requestId())
                .query((row, index) -> new Decreased(
                        request.product(), row.getLong("quantity"), row.getLong("pieces"), row.getLong("fence"), true))
                .optional();
    }

    private long pieces(long product) {
        return database.jdbc()
                .sql("SELECT pieces FROM flashsale_stock WHERE product_id = :product")
                .param("product", product)
                .query(Long.class)
                .single();
    }

    private void write(Request request, long pieces, long fence) {
        database.jdbc()
                .sql("INSERT INTO flashsale_decrease (product_id, user_id, request_id, quantity, pieces, fence)"
                        + " VALUES (:product, :user, :request, :quantity, :pieces, :fence)")
                .param("product", request.product())
                .param("user", request.caller().user())
                .param("request", request.caller().requestId())
                .param("quantity", request.quantity())
                .param("pieces", pieces)
                .param("fence", fence)
                .update();
    }
}
