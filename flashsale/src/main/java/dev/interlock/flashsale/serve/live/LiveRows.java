// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.live;

import dev.interlock.flashsale.serve.live.LiveView.CampaignRow;
import dev.interlock.flashsale.serve.live.LiveView.ProductRow;
import dev.interlock.flashsale.serve.live.LiveView.Recording;
import dev.interlock.flashsale.serve.product.StockDesk;
import dev.interlock.flashsale.serve.recording.RecordedPool;
import dev.interlock.flashsale.serve.recording.RecordedPool.Checked;
import dev.interlock.flashsale.serve.recording.Recorder;
import dev.interlock.flashsale.serve.sale.Sale;
import dev.interlock.flashsale.serve.sale.SaleViews.WithState;
import dev.interlock.ledger.RelayStatus;
import dev.interlock.pool.PoolState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Rows of campaigns and products: Redis against the database. */
@Component
final class LiveRows {
    private final Recorder recorder;
    private final StockDesk stock;

    LiveRows(Recorder recorder, StockDesk stock) {
        this.recorder = recorder;
        this.stock = stock;
    }

    CampaignRow campaign(WithState each) {
        Sale sale = each.sale();
        PoolState state = each.state().orElse(null);
        return new CampaignRow(
                sale.id(),
                sale.name(),
                each.text(),
                sale.units(),
                state == null ? null : state.available(),
                state == null ? null : state.users(),
                recording(sale, state));
    }

    /** One query for the stock of all. */
    List<ProductRow> products(List<WithState> all) {
        Map<Long, Long> pieces = all.isEmpty() ? Map.of() : stock.pieces();
        return all.stream()
                .map(each -> product(each, pieces.getOrDefault(each.sale().id(), 0L)))
                .toList();
    }

    private ProductRow product(WithState each, long pieces) {
        Sale sale = each.sale();
        PoolState state = each.state().orElse(null);
        return new ProductRow(
                sale.id(),
                sale.name(),
                each.text(),
                sale.units(),
                state == null ? null : state.available(),
                state == null ? null : 0L,
                pieces,
                recording(sale, state));
    }

    private Recording recording(Sale sale, @Nullable PoolState state) {
        RecordedPool pool = recorder.pool(sale.pool()).orElse(null);
        Long inRedis = state == null ? null : state.sequence();
        if (pool == null) {
            return new Recording("stopped", inRedis, -1, 0, null, null);
        }
        RelayStatus status = pool.status();
        Checked checked = pool.checked();
        return new Recording(
                text(status.state()),
                inRedis,
                status.recorded(),
                status.lag(),
                checked == null ? null : checked.drift(),
                checked == null ? null : checked.at());
    }

    private static String text(RelayStatus.State state) {
        return switch (state) {
            case RECORDING -> "recording";
            case STANDBY -> "standby";
            case NO_POOL -> "noPool";
            case RETRYING -> "retrying";
            case REBUILDING -> "rebuilding";
            case REGRESSED -> "regressed";
            case STOPPED -> "stopped";
        };
    }
}
