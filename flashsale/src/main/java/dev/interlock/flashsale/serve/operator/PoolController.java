// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.operator;

import dev.interlock.flashsale.serve.audit.Audit;
import dev.interlock.flashsale.serve.recording.RecordedPool;
import dev.interlock.flashsale.serve.recording.Recorder;
import dev.interlock.flashsale.serve.sale.Sale;
import dev.interlock.flashsale.serve.sale.Sale.Kind;
import dev.interlock.flashsale.serve.sale.Sales;
import dev.interlock.flashsale.serve.storage.Database;
import dev.interlock.flashsale.serve.web.Problem;
import dev.interlock.flashsale.serve.web.RefusedException;
import dev.interlock.ledger.DeadEvent;
import dev.interlock.ledger.Ledger;
import dev.interlock.ledger.ReconcileResult;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.security.Principal;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Pools for operators: recording, checks against the database, events that were set aside; and who did what. */
@RestController
@RequestMapping(path = "/api/operator", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "operator", description = "For operators")
final class PoolController {
    private static final int MOST_DEAD = 100;
    private static final int MOST_DEEDS = 100;

    private final Sales sales;
    private final Recorder recorder;
    private final Database database;
    private final Audit audit;

    /**
     * A pool.
     *
     * @param pool its name
     * @param relay what the relay of this process does
     * @param recordedSequence number of the latest recorded event, -1 if none
     * @param lag events that wait to be recorded
     */
    record PoolView(String pool, String relay, long recordedSequence, long lag) {
        static PoolView of(RecordedPool pool) {
            return new PoolView(
                    pool.name(),
                    pool.status().state().name(),
                    pool.status().recorded(),
                    pool.status().lag());
        }
    }

    /**
     * What a check found.
     *
     * @param pool which pool
     * @param result {@code Consistent}, {@code Lagging}, {@code Drifted}, {@code Miscounted}, {@code NoPool} or
     *     {@code Fenced}
     * @param detail the numbers
     */
    record CheckView(String pool, String result, String detail) {
        static CheckView of(String pool, ReconcileResult result) {
            return new CheckView(pool, result.getClass().getSimpleName(), result.toString());
        }
    }

    PoolController(Sales sales, Recorder recorder, Database database, Audit audit) {
        this.sales = sales;
        this.recorder = recorder;
        this.database = database;
        this.audit = audit;
    }

    @GetMapping("/pools")
    @Operation(summary = "All pools with their recording")
    Mono<List<PoolView>> list() {
        return Mono.fromSupplier(() -> Stream.of(Kind.values())
                .flatMap(kind -> sales.all(kind).stream())
                .map(Sale::pool)
                .flatMap(name -> recorder.pool(name).stream())
                .map(PoolView::of)
                .toList());
    }

    @PostMapping("/pools/{pool}/reconcile")
    @Operation(summary = "Checks a pool against the database now; a surplus in Redis is repaired")
    Mono<CheckView> reconcile(@PathVariable String pool, Principal operator) {
        String name = known(pool);
        return audit.record(operator.getName(), "reconcile", name, "by request")
                .then(database.call(() -> recorder.check(name).orElse(null)))
                .map(result -> CheckView.of(name, result));
    }

    @GetMapping("/pools/{pool}/dead")
    @Operation(summary = "Events of a pool that the database refused, oldest first")
    Mono<List<DeadEvent>> dead(@PathVariable String pool) {
        String name = known(pool);
        return database.call(() -> Ledger.of(database.source()).deadEvents(name, MOST_DEAD));
    }

    private String known(String pool) {
        return recorder.pool(pool)
                .map(RecordedPool::name)
                .orElseThrow(() -> new RefusedException(Problem.NOT_FOUND, "there is no such pool"));
    }

    @GetMapping("/audit")
    @Operation(summary = "What operators did, newest first")
    Mono<List<Audit.Entry>> deeds() {
        return audit.latest(MOST_DEEDS);
    }
}
