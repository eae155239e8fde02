// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.actuate;

import dev.interlock.Interlock;
import dev.interlock.doctor.Diagnosis;
import dev.interlock.limit.Limit;
import dev.interlock.limit.LimiterState;
import dev.interlock.lock.LockOwner;
import dev.interlock.pool.PoolState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What there is, for operators: locks with owner and waiters, limiters, pools, scripts on each master, and what is wrong with
 * the servers. Locks and pools are found by SCAN, so ask seldom where there are millions of keys.
 *
 * <p>{@code DELETE .../interlock/locks?name=NAME} takes a lock from whoever holds it and tells him. It is there only with
 * {@code management.endpoint.interlock.access=unrestricted}.
 */
@Endpoint(id = "interlock", defaultAccess = Access.READ_ONLY)
public final class InterlockEndpoint {
    private static final int MOST = 100;
    private static final String LOCKS = "locks";

    private final Interlock interlock;

    /**
     * Sends nothing before it is asked.
     *
     * @param interlock what to show
     */
    public InterlockEndpoint(Interlock interlock) {
        this.interlock = interlock;
    }

    /** A lock that is held. */
    record Lock(String name, LockOwner owner) {}

    /** A limiter that this JVM uses. */
    record Limiter(String name, List<String> limits, String outagePolicy, boolean away) {}

    /** A pool and what is left of it. */
    record NamedPool(String name, PoolState state) {}

    /**
     * Everything.
     *
     * @return by section: locks and pools at most 100 each
     */
    @ReadOperation
    public Mono<Map<String, Object>> all() {
        return Mono.zip(locks(), pools(), scripts(), warnings()).map(found -> {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put(LOCKS, found.getT1());
            all.put("limiters", limiters());
            all.put("pools", found.getT2());
            all.put("scripts", found.getT3());
            all.put("warnings", found.getT4());
            return all;
        });
    }

    /**
     * One section, or one lock, which is found without SCAN.
     *
     * @param section locks, limiters, pools, scripts or warnings
     * @param name name of the lock, for locks
     * @return the section, or who holds the lock
     * @throws ResponseStatusException 404 if there is no such section, or nobody holds the lock
     */
    @ReadOperation
    public Mono<?> section(@Selector String section, @Nullable String name) {
        Mono<?> found = isLocks(section) && name != null
                ? interlock.lock(name).reactive().owner()
                : section(section);
        return found.switchIfEmpty(Mono.error(() -> new ResponseStatusException(HttpStatus.NOT_FOUND)));
    }

    private Mono<?> section(String section) {
        return switch (section) {
            case LOCKS -> locks();
            case "limiters" -> Mono.just(limiters());
            case "pools" -> pools();
            case "scripts" -> scripts();
            case "warnings" -> warnings();
            default -> Mono.empty();
        };
    }

    /**
     * Takes a lock from whoever holds it; the next waiter gets it, and the holder is told.
     *
     * @param section locks
     * @param name its name
     * @return whether anybody held it
     * @throws ResponseStatusException 404 for another section
     */
    @DeleteOperation
    public Mono<Map<String, Boolean>> forceRelease(@Selector String section, String name) {
        return isLocks(section)
                ? interlock.lock(name).reactive().forceRelease().map(held -> Map.of("released", held))
                : Mono.error(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
    }

    private static boolean isLocks(@Nullable String section) {
        return LOCKS.equals(section);
    }

    private Mono<List<Lock>> locks() {
        return Mono.fromCompletionStage(() -> interlock.inventory().locks(MOST))
                .flatMapMany(Flux::fromIterable)
                .flatMapSequential(
                        name -> interlock.lock(name).reactive().owner().map(owner -> new Lock(name, owner)))
                .collectList();
    }

    private Mono<List<NamedPool>> pools() {
        return Mono.fromCompletionStage(() -> interlock.inventory().pools(MOST))
                .flatMapMany(Flux::fromIterable)
                .flatMapSequential(
                        name -> interlock.pool(name).reactive().state().map(state -> new NamedPool(name, state)))
                .collectList();
    }

    private List<Limiter> limiters() {
        return interlock.limiters().stream().map(InterlockEndpoint::limiter).toList();
    }

    private static Limiter limiter(LimiterState state) {
        return new Limiter(
                state.name(),
                state.limits().stream().map(Limit::toString).toList(),
                state.options().outage().name(),
                state.away());
    }

    private Mono<Map<String, Map<String, Boolean>>> scripts() {
        return Mono.fromCompletionStage(() -> interlock.inventory().scripts());
    }

    private Mono<List<Diagnosis>> warnings() {
        return interlock
                .doctor()
                .reactive()
                .examine()
                .map(found -> found.stream()
                        .filter(diagnosis -> diagnosis.level() != Diagnosis.Level.OK)
                        .toList());
    }
}
