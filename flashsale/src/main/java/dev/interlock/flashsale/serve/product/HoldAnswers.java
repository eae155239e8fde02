// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.product;

import dev.interlock.flashsale.serve.decision.Outcome;
import dev.interlock.flashsale.serve.product.HoldController.HoldView;
import dev.interlock.flashsale.serve.sale.Issuing;
import dev.interlock.flashsale.serve.sale.Issuing.Served;
import dev.interlock.flashsale.serve.web.Caller;
import dev.interlock.flashsale.serve.web.Input;
import dev.interlock.flashsale.serve.web.Problem;
import dev.interlock.flashsale.serve.web.RefusedException;
import dev.interlock.pool.CancelResult;
import dev.interlock.pool.ConfirmResult;
import dev.interlock.pool.Hold;
import dev.interlock.pool.HoldResult;
import dev.interlock.pool.Holds;
import dev.interlock.pool.IssueResult;
import java.time.Duration;
import java.util.Locale;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import reactor.core.publisher.Mono;

/** What a user is told about holds. */
final class HoldAnswers {
    private static final Duration SOON = Duration.ofSeconds(1);

    private HoldAnswers() {}

    /** The user's own hold; of another's hold he learns no more than of none. */
    static Mono<Hold> own(Holds holds, String id, Caller caller) {
        try {
            return holds.reactive()
                    .find(id)
                    .filter(hold -> hold.userId().equals(caller.user()))
                    .switchIfEmpty(Mono.error(() -> new RefusedException(Problem.NOT_FOUND, "you have no such hold")));
        } catch (IllegalArgumentException e) {
            throw Input.refused(e);
        }
    }

    static Served<HoldView> held(long product, long quantity, HoldResult result) {
        if (result instanceof HoldResult.Held held) {
            HoldView view = new HoldView(held.id(), product, quantity, "held", held.expiresAt(), null);
            return Served.of(
                    Outcome.ISSUED, ResponseEntity.status(HttpStatus.CREATED).body(view));
        }
        if (result instanceof HoldResult.Replayed replayed) {
            Hold hold = replayed.hold();
            String status = hold.status().name().toLowerCase(Locale.ROOT);
            HoldView view = new HoldView(hold.id(), product, hold.quantity(), status, hold.expiresAt(), null);
            return Served.of(Outcome.REPLAYED, ResponseEntity.ok(view));
        }
        if (result instanceof HoldResult.LimitReached reached) {
            return overLimit(reached.units());
        }
        if (result instanceof HoldResult.Insufficient insufficient) {
            return tooFew(insufficient.left());
        }
        if (result instanceof HoldResult.NotOpen notOpen) {
            return Issuing.refused(new IssueResult.NotOpen(notOpen.opensAt()));
        }
        if (result instanceof HoldResult.Closed) {
            return Issuing.refused(new IssueResult.Closed());
        }
        if (result instanceof HoldResult.SoldOut) {
            return Issuing.refused(new IssueResult.SoldOut());
        }
        return rebuilding(result instanceof HoldResult.Rebuilding busy ? busy.retryAfter() : SOON);
    }

    static Served<HoldView> confirmed(long product, String id, ConfirmResult result) {
        if (result instanceof ConfirmResult.Confirmed confirmed) {
            HoldView view =
                    new HoldView(id, product, confirmed.quantity(), "confirmed", null, confirmed.firstSequence());
            return Served.of(Outcome.ISSUED, ResponseEntity.ok(view));
        }
        if (result instanceof ConfirmResult.LateNoStock late) {
            return Served.refused(
                    Outcome.SOLD_OUT,
                    new RefusedException(Problem.HOLD_ENDED, "it expired, and too few units are left")
                            .with("left", late.left()));
        }
        if (result instanceof ConfirmResult.LateOverLimit late) {
            return overLimit(late.units());
        }
        if (result instanceof ConfirmResult.LateClosed) {
            return Issuing.refused(new IssueResult.Closed());
        }
        if (result instanceof ConfirmResult.Cancelled) {
            return Served.refused(Outcome.CLOSED, new RefusedException(Problem.HOLD_ENDED, "it was cancelled"));
        }
        return rebuilding(result instanceof ConfirmResult.Rebuilding busy ? busy.retryAfter() : SOON);
    }

    static Served<HoldView> cancelled(long product, String id, CancelResult result) {
        if (result instanceof CancelResult.Cancelled) {
            return Served.of(
                    Outcome.REPLAYED, ResponseEntity.ok(new HoldView(id, product, null, "cancelled", null, null)));
        }
        if (result instanceof CancelResult.AlreadyExpired) {
            return Served.of(
                    Outcome.REPLAYED, ResponseEntity.ok(new HoldView(id, product, null, "expired", null, null)));
        }
        if (result instanceof CancelResult.AlreadyConfirmed) {
            return Served.refused(
                    Outcome.ALREADY_ISSUED, new RefusedException(Problem.CONFLICT, "its units are issued already"));
        }
        return rebuilding(result instanceof CancelResult.Rebuilding busy ? busy.retryAfter() : SOON);
    }

    private static Served<HoldView> overLimit(long units) {
        return Served.refused(
                Outcome.ALREADY_ISSUED,
                new RefusedException(Problem.ALREADY_ISSUED, "the limit for each user allows no more")
                        .with("units", units));
    }

    private static Served<HoldView> tooFew(long left) {
        return Served.refused(
                Outcome.SOLD_OUT, new RefusedException(Problem.CONFLICT, "fewer units are left").with("left", left));
    }

    private static Served<HoldView> rebuilding(Duration wait) {
        return Issuing.refused(new IssueResult.Rebuilding(wait));
    }
}
