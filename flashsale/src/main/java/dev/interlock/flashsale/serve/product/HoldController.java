// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.product;

import dev.interlock.flashsale.serve.sale.Issuing;
import dev.interlock.flashsale.serve.sale.Sale.Kind;
import dev.interlock.flashsale.serve.web.Caller;
import dev.interlock.flashsale.serve.web.Input;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Holds units of a product for a user, for example until they are paid for. Needs Redis only; the database follows. */
@RestController
@RequestMapping(path = "/api/products/{id}/holds", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "holds", description = "Units held for a user")
final class HoldController {
    private static final long MAX_QUANTITY = 100;
    private static final long DEFAULT_SECONDS = 300;
    private static final long MAX_SECONDS = 86_400;

    private final Issuing issuing;

    /**
     * Body of a hold.
     *
     * @param quantity units, 1 to 100
     * @param seconds for how long, 1 to 86,400; 300 if missing
     * @param userId the same as X-User-Id, if given
     */
    record HoldRequest(
            @Nullable Long quantity,
            @Nullable Long seconds,
            @Nullable String userId) {}

    /**
     * Units that are, or were, held for the user.
     *
     * @param id what to confirm or cancel
     * @param productId of which product
     * @param quantity how many units
     * @param status {@code held}, {@code confirmed}, {@code cancelled} or {@code expired}
     * @param expiresAt until when they are held; null for a confirmation or cancellation
     * @param firstSequence number of the first of the issued units; null unless confirmed
     */
    record HoldView(
            String id,
            long productId,
            @Nullable Long quantity,
            String status,
            @Nullable Instant expiresAt,
            @Nullable Long firstSequence) {}

    HoldController(Issuing issuing) {
        this.issuing = issuing;
    }

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Holds units, all or none",
            parameters = {
                @Parameter(name = Caller.USER_HEADER, in = ParameterIn.HEADER, required = true),
                @Parameter(name = Caller.KEY_HEADER, in = ParameterIn.HEADER, required = true)
            })
    @ApiResponse(responseCode = "201", description = "The units are held")
    @ApiResponse(responseCode = "200", description = "The same request got this hold before")
    @ApiResponse(responseCode = "409", description = "Over the limit of the user, or fewer units are left")
    @ApiResponse(responseCode = "410", description = "Sold out, or closed")
    @ApiResponse(responseCode = "422", description = "The Idempotency-Key was used for another quantity")
    Mono<ResponseEntity<HoldView>> hold(
            @PathVariable String id, @RequestBody HoldRequest request, ServerWebExchange exchange) {
        long product = Input.id(id);
        long quantity = Input.range("quantity", request.quantity(), 1, MAX_QUANTITY);
        long seconds =
                request.seconds() == null ? DEFAULT_SECONDS : Input.range("seconds", request.seconds(), 1, MAX_SECONDS);
        return issuing.serve(
                new Issuing.Visit(Kind.PRODUCT, product, request.userId(), exchange),
                (sale, pool, caller) -> pool.holds()
                        .reactive()
                        .hold(caller.user(), quantity, Duration.ofSeconds(seconds), caller.requestId())
                        .map(result -> HoldAnswers.held(product, quantity, result)));
    }

    @PostMapping("/{hold}/confirm")
    @Operation(
            summary = "Issues the held units; takes them again if the hold has expired and there are some",
            parameters = {
                @Parameter(name = Caller.USER_HEADER, in = ParameterIn.HEADER, required = true),
                @Parameter(name = Caller.KEY_HEADER, in = ParameterIn.HEADER, required = true)
            })
    @ApiResponse(responseCode = "200", description = "The units are issued, by this request or an earlier one")
    @ApiResponse(responseCode = "404", description = "The user has no such hold")
    @ApiResponse(responseCode = "410", description = "The hold has ended and cannot be had again")
    Mono<ResponseEntity<HoldView>> confirm(
            @PathVariable String id, @PathVariable String hold, ServerWebExchange exchange) {
        long product = Input.id(id);
        return issuing.serve(
                new Issuing.Visit(Kind.PRODUCT, product, null, exchange),
                (sale, pool, caller) -> HoldAnswers.own(pool.holds(), hold, caller)
                        .flatMap(mine -> pool.holds().reactive().confirm(hold))
                        .map(result -> HoldAnswers.confirmed(product, hold, result)));
    }

    @PostMapping("/{hold}/cancel")
    @Operation(
            summary = "Gives the held units back",
            parameters = {
                @Parameter(name = Caller.USER_HEADER, in = ParameterIn.HEADER, required = true),
                @Parameter(name = Caller.KEY_HEADER, in = ParameterIn.HEADER, required = true)
            })
    @ApiResponse(responseCode = "200", description = "The units are back, by this request or an earlier one")
    @ApiResponse(responseCode = "404", description = "The user has no such hold")
    @ApiResponse(responseCode = "409", description = "The units are issued already")
    Mono<ResponseEntity<HoldView>> cancel(
            @PathVariable String id, @PathVariable String hold, ServerWebExchange exchange) {
        long product = Input.id(id);
        return issuing.serve(
                new Issuing.Visit(Kind.PRODUCT, product, null, exchange),
                (sale, pool, caller) -> HoldAnswers.own(pool.holds(), hold, caller)
                        .flatMap(mine -> pool.holds().reactive().cancel(hold))
                        .map(result -> HoldAnswers.cancelled(product, hold, result)));
    }
}
