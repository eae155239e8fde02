// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.operator;

import dev.interlock.Interlock;
import dev.interlock.flashsale.serve.audit.Audit;
import dev.interlock.flashsale.serve.storage.Database;
import dev.interlock.flashsale.serve.web.Input;
import dev.interlock.flashsale.serve.web.Problem;
import dev.interlock.flashsale.serve.web.RefusedException;
import dev.interlock.lock.DistributedLock;
import dev.interlock.lock.HeldLock;
import dev.interlock.lock.LockOwner;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Locks for operators: who holds what, and taking one away from a holder that hangs. */
@RestController
@RequestMapping(path = "/api/operator/locks", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "operator", description = "For operators")
final class LockController {
    private static final int MOST = 1_000;

    private final Interlock interlock;
    private final Database database;
    private final Audit audit;

    /**
     * A lock that is held.
     *
     * @param name its name
     * @param application what the holder's Interlock calls itself, empty if nothing
     * @param host the holder's host, empty if unknown
     * @param pid the holder's process, 0 if unknown
     * @param since when it was granted; null if unknown
     * @param fence fence of the grant
     * @param remainingMillis milliseconds until it lapses unless it is renewed; null if it never does
     * @param waiting how many processes wait for it
     */
    record LockView(
            String name,
            String application,
            String host,
            long pid,
            @Nullable Instant since,
            long fence,
            @Nullable Long remainingMillis,
            long waiting) {
        static LockView of(String name, LockOwner owner) {
            return new LockView(
                    name,
                    owner.application(),
                    owner.host(),
                    owner.pid(),
                    owner.since().orElse(null),
                    owner.fence(),
                    owner.remaining().map(Duration::toMillis).orElse(null),
                    owner.waiting());
        }
    }

    /**
     * Body of a force-release.
     *
     * @param name name of the lock
     * @param reason why, 1 to 200 characters
     */
    record ReleaseRequest(
            @Nullable String name, @Nullable String reason) {}

    /**
     * What a force-release met.
     *
     * @param name name of the lock
     * @param released whether anybody held it
     */
    record Released(String name, boolean released) {}

    LockController(Interlock interlock, Database database, Audit audit) {
        this.interlock = interlock;
        this.database = database;
        this.audit = audit;
    }

    @GetMapping
    @Operation(summary = "Locks that are held now, by name; or one of them")
    Mono<List<LockView>> list(@RequestParam(required = false) @Nullable String name) {
        if (name != null) {
            return lock(name)
                    .reactive()
                    .owner()
                    .map(owner -> List.of(LockView.of(name, owner)))
                    .switchIfEmpty(Mono.error(
                            () -> new RefusedException(Problem.NOT_FOUND, "nobody holds a lock of this name")));
        }
        return database.call(() -> interlock.locks().held(MOST)).map(all -> all.stream()
                .map(LockController::view)
                .toList());
    }

    private static LockView view(HeldLock lock) {
        return LockView.of(lock.name(), lock.owner());
    }

    @PostMapping(path = "/release", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(summary = "Takes a lock away from its holder, who is told within 100 ms, and gives it to the next waiter")
    Mono<Released> release(@RequestBody ReleaseRequest request, Principal operator) {
        String reason = Input.text("reason", request.reason(), Input.MAX_REASON);
        String name = request.name() == null ? "" : request.name();
        DistributedLock lock = lock(name);
        return audit.record(operator.getName(), "force-release", "lock " + name, reason)
                .then(Mono.defer(() -> lock.reactive().forceRelease()))
                .map(released -> new Released(name, released));
    }

    private DistributedLock lock(String name) {
        try {
            return interlock.lock(name);
        } catch (IllegalArgumentException e) {
            throw Input.refused(e);
        }
    }
}
