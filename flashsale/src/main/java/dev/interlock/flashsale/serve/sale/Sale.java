// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.sale;

import dev.interlock.pool.PoolConfig;
import dev.interlock.pool.PoolState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A campaign or product as the database has it.
 *
 * @param id its id
 * @param kind which of both
 * @param name what people call it
 * @param units all units, restocks included
 * @param limitPerUser units that one user may get
 * @param opensAt from when, or null for at once
 * @param closesAt until when, or null for ever
 * @param ready whether its pool was created
 */
public record Sale(
        long id,
        Kind kind,
        String name,
        long units,
        int limitPerUser,
        @Nullable Instant opensAt,
        @Nullable Instant closesAt,
        boolean ready) {
    /** What is sold. */
    public enum Kind {
        /** Coupons, each issued at once. */
        CAMPAIGN,
        /** Pieces, which may be held before they are taken. */
        PRODUCT;

        /**
         * Its name in the database, in pool names and in messages.
         *
         * @return the name
         */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Sale of(ResultSet row, int index) throws SQLException {
        return new Sale(
                row.getLong("id"),
                Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
                row.getString("name"),
                row.getLong("units"),
                row.getInt("limit_per_user"),
                instant(row, "opens_at"),
                instant(row, "closes_at"),
                row.getBoolean("ready"));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /**
     * Name of its pool, in Redis and in the ledger.
     *
     * @return the name
     */
    public String pool() {
        return pool(kind, id);
    }

    /**
     * Name of the pool of a sale.
     *
     * @param kind which kind
     * @param id its id
     * @return the name
     */
    public static String pool(Kind kind, long id) {
        return kind.text() + '-' + id;
    }

    PoolConfig config() {
        return PoolConfig.of(units).withLimitPerUser(limitPerUser).open(opensAt, closesAt);
    }

    /**
     * How it is doing now.
     *
     * @param state its pool, or null if Redis has none
     * @param now the time
     * @return {@code scheduled}, {@code open}, {@code soldOut}, {@code closed}, {@code rebuilding} or {@code missing}
     */
    public String stateAt(@Nullable PoolState state, Instant now) {
        if (state == null) {
            return "missing";
        }
        if (state.fenced()) {
            return "rebuilding";
        }
        if (closesAt != null && !now.isBefore(closesAt)) {
            return "closed";
        }
        if (opensAt != null && now.isBefore(opensAt)) {
            return "scheduled";
        }
        return state.available() == 0 ? "soldOut" : "open";
    }
}
