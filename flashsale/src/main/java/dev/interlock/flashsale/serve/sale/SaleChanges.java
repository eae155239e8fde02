// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.sale;

import dev.interlock.flashsale.serve.audit.Audit;
import dev.interlock.flashsale.serve.sale.Sale.Kind;
import dev.interlock.flashsale.serve.web.Caller;
import dev.interlock.flashsale.serve.web.Input;
import dev.interlock.flashsale.serve.web.Problem;
import dev.interlock.flashsale.serve.web.RefusedException;
import dev.interlock.pool.AdjustResult;
import dev.interlock.pool.RestockResult;
import dev.interlock.pool.ScheduleResult;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** What operators do to campaigns and products. Each deed is written down with its reason first. */
@Component
public final class SaleChanges {
    private static final long MAX_RESTOCK = 1_000_000;
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Sales sales;
    private final SaleViews views;
    private final Audit audit;

    /**
     * Body of opening, closing, restocking and revoking.
     *
     * @param reason why, 1 to 200 characters
     * @param units of restocking: how many are added, 1 to 1,000,000
     * @param userId of revoking: whose unit
     * @param sequence of revoking: its number
     */
    public record Change(
            @Nullable String reason,
            @Nullable Long units,
            @Nullable String userId,
            @Nullable Long sequence) {}

    SaleChanges(Sales sales, SaleViews views, Audit audit) {
        this.sales = sales;
        this.views = views;
        this.audit = audit;
    }

    /**
     * Makes one.
     *
     * @param kind which kind
     * @param request its body
     * @param exchange the request
     * @return 201 with the new one, 200 with the one that the same request made before
     */
    public Mono<ResponseEntity<SaleView>> create(Kind kind, SaleRequest request, ServerWebExchange exchange) {
        return Caller.operator(exchange)
                .flatMap(operator -> sales.create(kind, request, operator)
                        .flatMap(made -> written(operator, made)
                                .then(views.show(made.sale()))
                                .map(view -> ResponseEntity.status(made.isNew() ? HttpStatus.CREATED : HttpStatus.OK)
                                        .body(view))));
    }

    private Mono<Boolean> written(Caller operator, Sales.Made made) {
        return made.isNew()
                ? audit.record(
                        operator.user(),
                        "create",
                        made.sale().pool(),
                        made.sale().name())
                : Mono.just(false);
    }

    /**
     * Opens it now, unless it is open.
     *
     * @param sale which
     * @param change why
     * @param exchange the request
     * @return it after that
     */
    public Mono<SaleView> open(Sale sale, Change change, ServerWebExchange exchange) {
        return done("open", sale, change, exchange, operator -> reschedule(sale, null, null));
    }

    /**
     * Closes it now.
     *
     * @param sale which
     * @param change why
     * @param exchange the request
     * @return it after that
     */
    public Mono<SaleView> close(Sale sale, Change change, ServerWebExchange exchange) {
        return done("close", sale, change, exchange, operator -> {
            Instant now = Instant.now();
            Instant opened = sale.opensAt();
            return reschedule(sale, opened != null && opened.isBefore(now) ? opened : null, now);
        });
    }

    /**
     * Adds units, once for each Idempotency-Key.
     *
     * @param sale which
     * @param change how many and why
     * @param exchange the request
     * @return it after that
     */
    public Mono<SaleView> restock(Sale sale, Change change, ServerWebExchange exchange) {
        long units = Input.range("units", change.units(), 1, MAX_RESTOCK);
        return done(
                "restock",
                sale,
                change,
                exchange,
                operator -> sales.pool(sale)
                        .control()
                        .reactive()
                        .restock(units, operator.requestId())
                        .flatMap(result -> restocked(sale, units, result)));
    }

    private Mono<Sale> restocked(Sale sale, long units, RestockResult result) {
        if (result instanceof RestockResult.Restocked) {
            return sales.addUnits(sale, units);
        }
        if (result instanceof RestockResult.Replayed) {
            return Mono.just(sale);
        }
        if (result instanceof RestockResult.TooMany many) {
            return Mono.error(
                    new RefusedException(Problem.CONFLICT, "too many units would be left").with("left", many.left()));
        }
        return Mono.error(rebuilding());
    }

    /**
     * Takes a unit back from a user.
     *
     * @param sale which
     * @param change whose unit and why
     * @param exchange the request
     * @return it after that
     */
    public Mono<SaleView> revoke(Sale sale, Change change, ServerWebExchange exchange) {
        String user = Input.text("userId", change.userId(), Input.MAX_NAME);
        long sequence = Input.range("sequence", change.sequence(), 1, Input.MAX_ID);
        String reason = Input.text("reason", change.reason(), Input.MAX_REASON);
        return done(
                "revoke " + sequence,
                sale,
                change,
                exchange,
                operator -> sales.pool(sale)
                        .control()
                        .reactive()
                        .revoke(user, sequence, reason)
                        .flatMap(result -> revoked(sale, result)));
    }

    private static Mono<Sale> revoked(Sale sale, AdjustResult result) {
        if (result instanceof AdjustResult.Adjusted) {
            return Mono.just(sale);
        }
        return Mono.error(
                result instanceof AdjustResult.Outdated
                        ? new RefusedException(Problem.CONFLICT, "the user does not have this unit, or no more")
                        : rebuilding());
    }

    private Mono<Sale> reschedule(Sale sale, @Nullable Instant opensAt, @Nullable Instant closesAt) {
        return sales.pool(sale)
                .control()
                .reactive()
                .schedule(opensAt, closesAt)
                .flatMap(result -> result instanceof ScheduleResult.Scheduled
                        ? sales.times(sale, opensAt, closesAt)
                        : Mono.error(rebuilding()));
    }

    private static RefusedException rebuilding() {
        return new RefusedException(Problem.REBUILDING, "nothing was changed; try again later").retryAfter(SOON);
    }

    @FunctionalInterface
    private interface Deed {
        Mono<Sale> by(Caller operator);
    }

    private Mono<SaleView> done(String what, Sale sale, Change change, ServerWebExchange exchange, Deed deed) {
        String reason = Input.text("reason", change.reason(), Input.MAX_REASON);
        return Caller.operator(exchange)
                .flatMap(operator -> audit.record(operator.user(), what, sale.pool(), reason)
                        .then(Mono.defer(() -> deed.by(operator))))
                .flatMap(views::show);
    }
}
