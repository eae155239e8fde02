// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.product;

import dev.interlock.flashsale.serve.limit.UserLimit;
import dev.interlock.flashsale.serve.sale.Sale.Kind;
import dev.interlock.flashsale.serve.sale.SaleChanges;
import dev.interlock.flashsale.serve.sale.SaleRequest;
import dev.interlock.flashsale.serve.sale.SaleView;
import dev.interlock.flashsale.serve.sale.SaleViews;
import dev.interlock.flashsale.serve.sale.Sales;
import dev.interlock.flashsale.serve.web.Caller;
import dev.interlock.flashsale.serve.web.Input;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

/** Products: everybody may look, operators may make and change them, users may decrease their stock. */
@RestController
@RequestMapping(path = "/api/products", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "products", description = "Products with units on sale and a stock")
final class ProductController {
    private static final long MAX_QUANTITY = 1_000_000;

    private final SaleViews views;
    private final SaleChanges changes;
    private final Sales sales;
    private final StockDesk stock;
    private final UserLimit limit;

    /**
     * Body of a decrease.
     *
     * @param quantity pieces, 1 to 1,000,000
     * @param userId the same as X-User-Id, if given
     */
    record DecreaseRequest(
            @Nullable Long quantity, @Nullable String userId) {}

    ProductController(SaleViews views, SaleChanges changes, Sales sales, StockDesk stock, UserLimit limit) {
        this.views = views;
        this.changes = changes;
        this.sales = sales;
        this.stock = stock;
        this.limit = limit;
    }

    @GetMapping
    @Operation(summary = "All products, newest first")
    Mono<List<SaleView>> list() {
        return views.list(Kind.PRODUCT);
    }

    @GetMapping("/{id}")
    @Operation(summary = "One product")
    Mono<SaleView> show(@PathVariable String id) {
        return views.show(Kind.PRODUCT, Input.id(id));
    }

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(summary = "Makes a product (operators); the same Idempotency-Key gives the first one again")
    Mono<ResponseEntity<SaleView>> create(@RequestBody SaleRequest request, ServerWebExchange exchange) {
        return changes.create(Kind.PRODUCT, request, exchange);
    }

    @PostMapping(path = "/{id}/decrease", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Decreases the database row of the product, under a lock and guarded by its fence",
            parameters = {
                @Parameter(name = Caller.USER_HEADER, in = ParameterIn.HEADER, required = true),
                @Parameter(name = Caller.KEY_HEADER, in = ParameterIn.HEADER, required = true)
            })
    Mono<StockDesk.Decreased> decrease(
            @PathVariable String id, @RequestBody DecreaseRequest request, ServerWebExchange exchange) {
        long product = Input.id(id);
        long quantity = Input.range("quantity", request.quantity(), 1, MAX_QUANTITY);
        return Caller.of(exchange).flatMap(caller -> {
            caller.ensureIs(request.userId());
            return limit.take(caller.user(), exchange.getResponse().getHeaders())
                    .then(Mono.defer(() -> sales.find(Kind.PRODUCT, product)))
                    .flatMap(sale -> stock.decrease(sale, caller, quantity));
        });
    }
}
