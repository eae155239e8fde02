// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.sale;

import dev.interlock.flashsale.serve.sale.Sale.Kind;
import dev.interlock.pool.PoolState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Shows campaigns and products together with what Redis has of them. */
@Component
public final class SaleViews {
    private static final int AT_ONCE = 32;

    private final Sales sales;

    /**
     * A sale with its pool's state.
     *
     * @param sale the sale
     * @param state its pool; empty if Redis has none
     */
    public record WithState(Sale sale, Optional<PoolState> state) {
        /**
         * How it is doing now.
         *
         * @return as in {@link Sale#stateAt}
         */
        public String text() {
            return sale.stateAt(state.orElse(null), Instant.now());
        }

        SaleView view() {
            return new SaleView(
                    sale.id(),
                    sale.name(),
                    text(),
                    sale.units(),
                    sale.limitPerUser(),
                    sale.opensAt(),
                    sale.closesAt(),
                    state.map(PoolState::available).orElse(null));
        }
    }

    SaleViews(Sales sales) {
        this.sales = sales;
    }

    /**
     * Reads the state of one.
     *
     * @param sale which
     * @return it with its state
     */
    public Mono<WithState> withState(Sale sale) {
        return sales.pool(sale)
                .reactive()
                .state()
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .map(state -> new WithState(sale, state));
    }

    /**
     * Reads the states of all of a kind.
     *
     * @param kind which kind
     * @return them, newest first
     */
    public Mono<List<WithState>> withStates(Kind kind) {
        return Flux.fromIterable(sales.all(kind))
                .flatMapSequential(this::withState, AT_ONCE)
                .collectList();
    }

    /**
     * Shows one.
     *
     * @param kind which kind
     * @param id its id
     * @return the view; fails if there is none
     */
    public Mono<SaleView> show(Kind kind, long id) {
        return sales.find(kind, id).flatMap(this::show);
    }

    /**
     * Shows one.
     *
     * @param sale which
     * @return the view
     */
    public Mono<SaleView> show(Sale sale) {
        return withState(sale).map(WithState::view);
    }

    /**
     * Shows all of a kind.
     *
     * @param kind which kind
     * @return the views, newest first
     */
    public Mono<List<SaleView>> list(Kind kind) {
        return withStates(kind).map(all -> all.stream().map(WithState::view).toList());
    }
}
