// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.live;

import dev.interlock.flashsale.serve.audit.Audit;
import dev.interlock.flashsale.serve.sale.Sale.Kind;
import dev.interlock.flashsale.serve.sale.Sales;
import dev.interlock.flashsale.serve.web.Input;
import dev.interlock.flashsale.serve.web.Problem;
import dev.interlock.flashsale.serve.web.RefusedException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Starts and stops a rush in this process; operators only. */
@RestController
@RequestMapping(path = "/api/rush", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "rush", description = "A rush of made-up users at a campaign (operators)")
final class RushController {
    private static final long MOST = 1_000_000;

    private final Rushes rushes;
    private final Sales sales;
    private final Audit audit;

    RushController(Rushes rushes, Sales sales, Audit audit) {
        this.rushes = rushes;
        this.sales = sales;
        this.audit = audit;
    }

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Operation(summary = "Starts a rush; 409 if one is under way")
    Mono<RushView> start(@RequestBody RushRequest request, Principal operator) {
        Input.range("requests", request.requests(), 1, MOST);
        Input.range("users", request.users(), 1, MOST);
        return sales.find(Kind.CAMPAIGN, Input.range("campaignId", request.campaignId(), 1, Input.MAX_ID))
                .flatMap(sale -> audit.record(operator.getName(), "rush", sale.pool(), "a demonstration")
                        .map(written -> rushes.start(sale, request)));
    }

    @GetMapping
    @Operation(summary = "The rush under way, or the last one")
    Mono<RushView> show() {
        return found(rushes.current());
    }

    @DeleteMapping
    @Operation(summary = "Stops the rush under way")
    Mono<RushView> stop() {
        return found(rushes.stop());
    }

    private static Mono<RushView> found(@Nullable RushView view) {
        return view == null
                ? Mono.error(new RefusedException(Problem.NOT_FOUND, "there was no rush yet"))
                : Mono.just(view);
    }
}
