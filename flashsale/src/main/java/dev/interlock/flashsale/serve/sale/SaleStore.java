// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.sale;

import dev.interlock.flashsale.serve.sale.Sale.Kind;
import dev.interlock.flashsale.serve.storage.Database;
import dev.interlock.flashsale.serve.web.Caller;
import dev.interlock.flashsale.serve.web.Problem;
import dev.interlock.flashsale.serve.web.RefusedException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The rows of campaigns and products. Blocking. */
@Component
final class SaleStore {
    private static final String SELECT =
            "SELECT id, kind, name, units, limit_per_user, opens_at, closes_at, ready FROM flashsale_sale ";

    private final Database database;
    private final JdbcClient jdbc;

    SaleStore(Database database) {
        this.database = database;
        this.jdbc = database.jdbc();
    }

    /**
     * Makes a row, once for a request.
     *
     * @return the new one or the one that this request made before
     * @throws RefusedException if the request id was used for another
     */
    Sale insert(Sale sale, SaleRequest request, Caller operator) {
        String terms = request.toString();
        try {
            return database.inTransaction(() -> insertNew(sale, request.pieces(), terms, operator));
        } catch (DuplicateKeyException e) {
            return byRequest(operator, terms);
        }
    }

    private Sale insertNew(Sale sale, long pieces, String terms, Caller operator) {
        Long id = jdbc.sql("INSERT INTO flashsale_sale (kind, name, units, limit_per_user, opens_at, closes_at,"
                        + " created_by, request_id, terms)"
                        + " VALUES (:kind, :name, :units, :limit, :opens, :closes, :by, :request, :terms)"
                        + " RETURNING id")
                .param("kind", sale.kind().text())
                .param("name", sale.name())
                .param("units", sale.units())
                .param("limit", sale.limitPerUser())
                .param("opens", utc(sale.opensAt()))
                .param("closes", utc(sale.closesAt()))
                .param("by", operator.user())
                .param("request", operator.requestId())
                .param("terms", terms)
                .query(Long.class)
                .single();
        if (sale.kind() == Kind.PRODUCT) {
            jdbc.sql("INSERT INTO flashsale_stock (product_id, pieces) VALUES (:id, :pieces)")
                    .param("id", id)
                    .param("pieces", pieces)
                    .update();
        }
        return byId(id).orElseThrow();
    }

    private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
        return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }

    private Sale byRequest(Caller operator, String terms) {
        return jdbc.sql(SELECT + "WHERE created_by = :by AND request_id = :request AND terms = :terms")
                .param("by", operator.user())
                .param("request", operator.requestId())
                .param("terms", terms)
                .query(Sale::of)
                .optional()
                .orElseThrow(() -> new RefusedException(Problem.REQUEST_ID_REUSED, "it made something else"));
    }

    Optional<Sale> byId(long id) {
        return jdbc.sql(SELECT + "WHERE id = :id").param("id", id).query(Sale::of).optional();
    }

    /** All of them, newest first. */
    List<Sale> all(int max) {
        return jdbc.sql(SELECT + "ORDER BY id DESC LIMIT :max")
                .param("max", max)
                .query(Sale::of)
                .list();
    }

    long count() {
        return jdbc.sql("SELECT count(*) FROM flashsale_sale").query(Long.class).single();
    }

    void ready(long id) {
        jdbc.sql("UPDATE flashsale_sale SET ready = true WHERE id = :id")
                .param("id", id)
                .update();
    }

    void addUnits(long id, long units) {
        jdbc.sql("UPDATE flashsale_sale SET units = units + :units WHERE id = :id")
                .param("units", units)
                .param("id", id)
                .update();
    }

    void times(long id, @Nullable Instant opensAt, @Nullable Instant closesAt) {
        jdbc.sql("UPDATE flashsale_sale SET opens_at = :opens, closes_at = :closes WHERE id = :id")
                .param("opens", utc(opensAt))
                .param("closes", utc(closesAt))
                .param("id", id)
                .update();
    }
}
