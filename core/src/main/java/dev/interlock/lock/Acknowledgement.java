// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Names;
import dev.interlock.internal.Text;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Has replicas acknowledge grants. WAIT holds up its connection, so it has one of its own for each node; and it counts from
 * the last write of its own connection, so that writes a small key first, after the grant.
 */
final class Acknowledgement {
    /** By the shared connection of a node, which lives as long as its Interlock. */
    private final Map<StatefulRedisConnection<?, ?>, CompletableFuture<StatefulRedisConnection<byte[], byte[]>>>
            connections = new ConcurrentHashMap<>();

    private final Leases leases;

    Acknowledgement(Leases leases) {
        this.leases = leases;
    }

    /** How many must acknowledge, and how long that may take. */
    record Wanted(Acknowledgement by, int replicas, long timeoutMillis) {
        /** Completes when they have, or fails. */
        CompletableFuture<Void> confirm(LockKeys keys, Lease lease) {
            return by.confirm(keys, lease, this);
        }
    }

    private CompletableFuture<Void> confirm(LockKeys keys, Lease lease, Wanted wanted) {
        long patience = wanted.timeoutMillis
                + leases.engine().settings().commandTimeout().toMillis();
        return leases.engine()
                .connection(keys.lock)
                .thenCompose(shared -> own(shared, keys))
                .thenCompose(own -> acknowledged(own, keys, lease, wanted))
                .toCompletableFuture()
                .orTimeout(patience, TimeUnit.MILLISECONDS)
                .handle((count, error) -> {
                    if (count == null || count < wanted.replicas) {
                        String known = count == null ? "an unknown number" : count.toString();
                        throw new NotAcknowledgedException(
                                "lock " + Names.echo(keys.name) + ": " + known + " of " + wanted.replicas
                                        + " replicas acknowledged within " + wanted.timeoutMillis
                                        + " ms; it is released again",
                                error);
                    }
                    return null;
                });
    }

    private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> own(
            StatefulRedisConnection<?, ?> shared, LockKeys keys) {
        CompletableFuture<StatefulRedisConnection<byte[], byte[]>> own = connections.computeIfAbsent(
                shared, node -> leases.engine().openConnection(keys.lock).toCompletableFuture());
        if (own.isCompletedExceptionally()) {
            connections.remove(shared, own);
        }
        return own;
    }

    private static CompletionStage<Long> acknowledged(
            StatefulRedisConnection<byte[], byte[]> own, LockKeys keys, Lease lease, Wanted wanted) {
        own.async()
                .set(
                        keys.mark,
                        Text.bytes(lease.fence()),
                        SetArgs.Builder.px(lease.hold().leaseMillis()));
        return own.async().waitForReplication(wanted.replicas, wanted.timeoutMillis);
    }
}
