// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.sale;

import dev.interlock.flashsale.serve.web.Input;
import dev.interlock.flashsale.serve.web.Problem;
import dev.interlock.flashsale.serve.web.RefusedException;
import dev.interlock.pool.PoolConfig;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Body of {@code POST /api/campaigns} and {@code POST /api/products}.
 *
 * @param name what people call it, 1 to 128 characters
 * @param units how many, 1 to 1,000,000,000,000
 * @param limitPerUser units that one user may get, 1 to 100; 1 if missing
 * @param opensAt from when, ISO 8601 with an offset; at once if missing
 * @param closesAt until when, later than {@code opensAt}; for ever if missing
 * @param stock of a product: pieces in the database row, 0 to 1,000,000,000,000; 0 if missing
 */
public record SaleRequest(
        @Nullable String name,
        @Nullable Long units,
        @Nullable Integer limitPerUser,
        @Nullable String opensAt,
        @Nullable String closesAt,
        @Nullable Long stock) {
    private static final int DEFAULT_LIMIT = 1;
    private static final int MAX_LIMIT = 100;

    /** Checks all of it. */
    Sale checked(Sale.Kind kind) {
        String called = Input.text("name", name, Input.MAX_NAME);
        long total = Input.range("units", units, 1, Input.MAX_UNITS);
        int limit = limitPerUser == null
                ? DEFAULT_LIMIT
                : (int) Input.range("limitPerUser", (long) limitPerUser, 1, MAX_LIMIT);
        if (kind == Sale.Kind.CAMPAIGN && stock != null) {
            throw new RefusedException(Problem.INVALID, "a campaign has no stock");
        }
        pieces();
        Instant from = Input.time("opensAt", opensAt);
        Instant to = Input.time("closesAt", closesAt);
        try {
            // The library's own rules for times.
            PoolConfig unused = PoolConfig.of(total).open(from, to);
            return new Sale(0, kind, called, unused.total(), limit, from, to, false);
        } catch (IllegalArgumentException e) {
            throw Input.refused(e);
        }
    }

    /** Pieces in the database row. */
    long pieces() {
        return stock == null ? 0 : Input.range("stock", stock, 0, Input.MAX_UNITS);
    }
}
