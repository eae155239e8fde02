// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.campaign;

import dev.interlock.flashsale.serve.sale.Sale.Kind;
import dev.interlock.flashsale.serve.sale.SaleChanges;
import dev.interlock.flashsale.serve.sale.SaleRequest;
import dev.interlock.flashsale.serve.sale.SaleView;
import dev.interlock.flashsale.serve.sale.SaleViews;
import dev.interlock.flashsale.serve.web.Input;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Campaigns: everybody may look, operators may make and change them. */
@RestController
@RequestMapping(path = "/api/campaigns", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "campaigns", description = "Coupon campaigns")
final class CampaignController {
    private final SaleViews views;
    private final SaleChanges changes;

    CampaignController(SaleViews views, SaleChanges changes) {
        this.views = views;
        this.changes = changes;
    }

    @GetMapping
    @Operation(summary = "All campaigns, newest first")
    Mono<List<SaleView>> list() {
        return views.list(Kind.CAMPAIGN);
    }

    @GetMapping("/{id}")
    @Operation(summary = "One campaign")
    Mono<SaleView> show(@PathVariable String id) {
        return views.show(Kind.CAMPAIGN, Input.id(id));
    }

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(summary = "Makes a campaign (operators); the same Idempotency-Key gives the first one again")
    Mono<ResponseEntity<SaleView>> create(@RequestBody SaleRequest request, ServerWebExchange exchange) {
        return changes.create(Kind.CAMPAIGN, request, exchange);
    }
}
