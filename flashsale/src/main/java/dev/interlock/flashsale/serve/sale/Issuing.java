// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.sale;

import dev.interlock.InterlockException;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.flashsale.serve.decision.Decisions;
import dev.interlock.flashsale.serve.decision.Outcome;
import dev.interlock.flashsale.serve.limit.UserLimit;
import dev.interlock.flashsale.serve.recording.Recorder;
import dev.interlock.flashsale.serve.sale.Sale.Kind;
import dev.interlock.flashsale.serve.web.Caller;
import dev.interlock.flashsale.serve.web.Problem;
import dev.interlock.flashsale.serve.web.RefusedException;
import dev.interlock.pool.IssueResult;
import dev.interlock.pool.Pool;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * The way of every request of a user for units: who is it, is he within his limit, does the sale exist, does the database keep
 * up; then the pool decides, and the decision is counted. Needs no database for sales that this process knows.
 */
@Component
public final class Issuing {
    private static final Logger log = LoggerFactory.getLogger(Issuing.class);
    private static final Duration SOON = Duration.ofSeconds(1);

    private final UserLimit limit;
    private final Sales sales;
    private final Recorder recorder;
    private final Decisions decisions;

    /**
     * What a user came for.
     *
     * @param kind a campaign or a product
     * @param id which one
     * @param namedUser user that the body names, or null
     * @param exchange the request
     */
    public record Visit(
            Kind kind, long id, @Nullable String namedUser, ServerWebExchange exchange) {}

    /**
     * What the pool decided: an answer or a refusal.
     *
     * @param outcome how it is counted
     * @param answer the answer, or null if refused
     * @param refusal the refusal, or null if answered
     * @param <T> body of the answer
     */
    public record Served<T>(
            Outcome outcome, @Nullable ResponseEntity<T> answer, @Nullable RefusedException refusal) {
        /**
         * An answer.
         *
         * @param outcome how it is counted
         * @param answer the answer
         * @param <T> its body
         * @return the same
         */
        public static <T> Served<T> of(Outcome outcome, ResponseEntity<T> answer) {
            return new Served<>(outcome, answer, null);
        }

        /**
         * A refusal.
         *
         * @param outcome how it is counted
         * @param refusal the refusal
         * @param <T> body that an answer would have
         * @return the same
         */
        public static <T> Served<T> refused(Outcome outcome, RefusedException refusal) {
            return new Served<>(outcome, null, refusal);
        }

        private Mono<ResponseEntity<T>> told() {
            return refusal != null ? Mono.error(refusal) : Mono.justOrEmpty(answer);
        }
    }

    /**
     * Asks the pool.
     *
     * @param <T> body of the answer
     */
    @FunctionalInterface
    public interface Step<T> {
        /**
         * Asks.
         *
         * @param sale which sale
         * @param pool its pool
         * @param caller who asks
         * @return the decision
         */
        Mono<Served<T>> ask(Sale sale, Pool.Reactive pool, Caller caller);
    }

    Issuing(UserLimit limit, Sales sales, Recorder recorder, Decisions decisions) {
        this.limit = limit;
        this.sales = sales;
        this.recorder = recorder;
        this.decisions = decisions;
    }

    /**
     * Serves a user.
     *
     * @param visit what he came for
     * @param step asks the pool
     * @param <T> body of the answer
     * @return the answer, or the refusal as an error
     */
    public <T> Mono<ResponseEntity<T>> serve(Visit visit, Step<T> step) {
        long start = System.nanoTime();
        ServerWebExchange exchange = visit.exchange();
        return Caller.of(exchange)
                .flatMap(caller -> {
                    caller.ensureIs(visit.namedUser());
                    return limit.take(caller.user(), exchange.getResponse().getHeaders())
                            .then(Mono.defer(() -> sales.find(visit.kind(), visit.id())))
                            .flatMap(sale -> ask(sale, caller, step))
                            .doOnError(OutcomeUnknownException.class, e -> unknown(visit, caller, e));
                })
                .doOnError(error -> count(error, start))
                .flatMap(served -> {
                    decisions.add(served.outcome(), System.nanoTime() - start);
                    return served.told();
                });
    }

    private <T> Mono<Served<T>> ask(Sale sale, Caller caller, Step<T> step) {
        recorder.ensureKeepsUp(sale.pool());
        return step.ask(sale, sales.pool(sale).reactive(), caller);
    }

    /** The user may ask again with the same id; the log lets an operator answer for him. */
    private static void unknown(Visit visit, Caller caller, OutcomeUnknownException error) {
        log.warn(
                "the outcome of request {} at {} is unknown: {}",
                caller.requestId(),
                Sale.pool(visit.kind(), visit.id()),
                error.getMessage());
    }

    private void count(Throwable error, long start) {
        Outcome outcome = null;
        if (error instanceof RefusedException refused) {
            outcome = switch (refused.problem()) {
                case LIMITED -> Outcome.LIMITED;
                case UNAVAILABLE -> Outcome.UNAVAILABLE;
                default -> null; // it asked for nothing that could be decided
            };
        } else if (error instanceof OutcomeUnknownException) {
            outcome = Outcome.UNKNOWN;
        } else if (error instanceof InterlockException) {
            outcome = Outcome.UNAVAILABLE;
        }
        if (outcome != null) {
            decisions.add(outcome, System.nanoTime() - start);
        }
    }

    /**
     * The refusals of a pool that are the same for coupons and holds.
     *
     * @param result what the pool said; not a unit
     * @param <T> body that an answer would have
     * @return the refusal
     */
    public static <T> Served<T> refused(IssueResult result) {
        if (result instanceof IssueResult.SoldOut) {
            return soldOut();
        }
        if (result instanceof IssueResult.Closed) {
            return closed();
        }
        if (result instanceof IssueResult.NotOpen notOpen) {
            return notOpen(notOpen.opensAt());
        }
        return rebuilding(result instanceof IssueResult.Rebuilding busy ? busy.retryAfter() : SOON);
    }

    /**
     * No unit is left.
     *
     * @param <T> body that an answer would have
     * @return the refusal
     */
    public static <T> Served<T> soldOut() {
        return Served.refused(Outcome.SOLD_OUT, new RefusedException(Problem.SOLD_OUT, "no unit is left"));
    }

    static <T> Served<T> closed() {
        return Served.refused(Outcome.CLOSED, new RefusedException(Problem.CLOSED, "it has closed"));
    }

    static <T> Served<T> notOpen(Instant opensAt) {
        Duration wait = Duration.between(Instant.now(), opensAt);
        return Served.refused(
                Outcome.NOT_OPEN,
                new RefusedException(Problem.NOT_OPEN, "it opens at " + opensAt)
                        .with("opensAt", opensAt.toString())
                        .retryAfter(wait));
    }

    /** The pool is fenced, or gone from Redis although the database knows it. */
    static <T> Served<T> rebuilding(Duration wait) {
        return Served.refused(
                Outcome.UNAVAILABLE,
                new RefusedException(Problem.REBUILDING, "nothing was issued; come back later").retryAfter(wait));
    }
}
