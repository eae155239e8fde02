// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.campaign;

import dev.interlock.flashsale.serve.decision.Outcome;
import dev.interlock.flashsale.serve.sale.Issuing;
import dev.interlock.flashsale.serve.sale.Sale;
import dev.interlock.flashsale.serve.sale.Sale.Kind;
import dev.interlock.flashsale.serve.web.Caller;
import dev.interlock.flashsale.serve.web.Input;
import dev.interlock.flashsale.serve.web.Problem;
import dev.interlock.flashsale.serve.web.RefusedException;
import dev.interlock.pool.IssueResult;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Issues coupons to users. Needs Redis only; the database follows. */
@RestController
@Tag(name = "coupons", description = "One coupon for a user")
final class CouponController {
    private final Issuing issuing;

    /**
     * Body of the request, which may be left out.
     *
     * @param userId the same as X-User-Id, if given
     */
    record CouponRequest(@Nullable String userId) {}

    /**
     * A coupon that the user has.
     *
     * @param campaignId of which campaign
     * @param userId whose
     * @param sequence its number in the campaign, from 1
     * @param replayed whether this request had got it before
     */
    record Coupon(long campaignId, String userId, long sequence, boolean replayed) {}

    CouponController(Issuing issuing) {
        this.issuing = issuing;
    }

    @PostMapping(path = "/api/campaigns/{id}/coupons", produces = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Issues a coupon",
            parameters = {
                @Parameter(name = Caller.USER_HEADER, in = ParameterIn.HEADER, required = true),
                @Parameter(name = Caller.KEY_HEADER, in = ParameterIn.HEADER, required = true)
            })
    @ApiResponse(responseCode = "201", description = "The user got this coupon")
    @ApiResponse(responseCode = "200", description = "The same request got it before")
    @ApiResponse(responseCode = "409", description = "The user has a coupon by another request")
    @ApiResponse(responseCode = "410", description = "Sold out, or the campaign has closed")
    @ApiResponse(responseCode = "425", description = "The campaign has not opened yet")
    @ApiResponse(responseCode = "429", description = "Too many requests of this user")
    @ApiResponse(responseCode = "503", description = "Come back after Retry-After, with the same Idempotency-Key")
    Mono<ResponseEntity<Coupon>> issue(
            @PathVariable String id,
            @RequestBody(required = false) @Nullable CouponRequest request,
            ServerWebExchange exchange) {
        long campaign = Input.id(id);
        String named = request == null ? null : request.userId();
        return issuing.serve(
                new Issuing.Visit(Kind.CAMPAIGN, campaign, named, exchange),
                (sale, pool, caller) -> pool.issue(caller.user(), caller.requestId())
                        .map(result -> answer(sale, caller, result)));
    }

    private static Issuing.Served<Coupon> answer(Sale sale, Caller caller, IssueResult result) {
        if (result instanceof IssueResult.Issued issued) {
            Coupon coupon = new Coupon(sale.id(), caller.user(), issued.sequence(), false);
            return Issuing.Served.of(
                    Outcome.ISSUED, ResponseEntity.status(HttpStatus.CREATED).body(coupon));
        }
        if (result instanceof IssueResult.Replayed replayed) {
            Coupon coupon = new Coupon(sale.id(), caller.user(), replayed.sequence(), true);
            return Issuing.Served.of(Outcome.REPLAYED, ResponseEntity.ok(coupon));
        }
        if (result instanceof IssueResult.AlreadyIssued already) {
            return Issuing.Served.refused(
                    Outcome.ALREADY_ISSUED,
                    new RefusedException(Problem.ALREADY_ISSUED, "another request got it")
                            .with("sequence", already.sequence()));
        }
        return Issuing.refused(result);
    }
}
