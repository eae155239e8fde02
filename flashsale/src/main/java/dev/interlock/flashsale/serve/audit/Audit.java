// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.audit;

import dev.interlock.flashsale.serve.storage.Database;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The record of what operators did: rows are only ever added. Written before the deed, so that no deed is without one. */
@Component
public final class Audit {
    private final Database database;

    /**
     * One deed.
     *
     * @param at when
     * @param operator who
     * @param action what
     * @param target to what
     * @param reason why
     */
    public record Entry(Instant at, String operator, String action, String target, String reason) {}

    Audit(Database database) {
        this.database = database;
    }

    /**
     * Writes a deed down.
     *
     * @param operator who
     * @param action what
     * @param target to what
     * @param reason why
     * @return completes when it is committed; nothing is done before subscription
     */
    public Mono<Boolean> record(String operator, String action, String target, String reason) {
        return database.call(() -> database.jdbc()
                        .sql("INSERT INTO flashsale_audit (operator, action, target, reason)"
                                + " VALUES (:operator, :action, :target, :reason)")
                        .param("operator", operator)
                        .param("action", action)
                        .param("target", target)
                        .param("reason", reason)
                        .update()
                == 1);
    }

    /**
     * The latest deeds.
     *
     * @param max most of them
     * @return the deeds, newest first
     */
    public Mono<List<Entry>> latest(int max) {
        return database.call(() -> database.jdbc()
                .sql("SELECT at, operator, action, target, reason FROM flashsale_audit ORDER BY id DESC LIMIT :max")
                .param("max", max)
                .query((row, index) -> new Entry(
                        row.getObject("at", OffsetDateTime.class).toInstant(),
                        row.getString("operator"),
                        row.getString("action"),
                        row.getString("target"),
                        row.getString("reason")))
                .list());
    }
}
