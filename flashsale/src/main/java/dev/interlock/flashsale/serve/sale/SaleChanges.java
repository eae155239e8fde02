// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.sale;

import dev.interlock.flashsale.serve.audit.Audit;
import dev.interlock.flashsale.serve.sale.Sale.Kind;
import dev.interlock.flashsale.serve.web.Caller;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** What operators do to campaigns and products. Each deed is written down with its reason first. */
@Component
public final class SaleChanges {
    private final Sales sales;
    private final SaleViews views;
    private final Audit audit;

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
        return Caller.operator(exchange).flatMap(operator -> sales.create(kind, request, operator)
                .flatMap(made -> written(operator, made)
                        .then(views.show(made.sale()))
                        .map(view -> ResponseEntity.status(made.isNew() ? HttpStatus.CREATED : HttpStatus.OK)
                                .body(view))));
    }

    private Mono<Boolean> written(Caller operator, Sales.Made made) {
        return made.isNew()
                ? audit.record(operator.user(), "create", made.sale().pool(), made.sale().name())
                : Mono.just(false);
    }
}
