// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.CorruptStateException;
import dev.interlock.NotExecutedException;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to get a quorum lock.
 *
 * <pre>
 *  VOTING     ── votes of a majority ──▶ CONFIRMING: the largest fence of the majority is written to all who voted
 *  CONFIRMING ── written by a majority, time left ──▶ GRANTED
 *  VOTING | CONFIRMING ── no majority can come any more, or no time left ──▶ FAILED: given back everywhere
 *  FAILED | GRANTED and released ── a late vote ──▶ given back there again
 * </pre>
 */
final class QuorumAttempt {
    static final LuaScript ACQUIRE = LuaScript.own(QuorumAttempt.class, "quorum_acquire");
    static final LuaScript CONFIRM = LuaScript.own(QuorumAttempt.class, "quorum_confirm");
    private static final byte[] FENCE_MEMORY = Text.bytes(Duration.ofDays(2).toMillis());

    private final QuorumNodes nodes;
    private final String token = new String(Text.token(), StandardCharsets.ISO_8859_1);
    private final long sentNanos = System.nanoTime();
    private final CompletableFuture<Optional<QuorumLease>> result = new CompletableFuture<>();
    private final ReentrantLock guard = new ReentrantLock();
    private final List<Integer> voters = new ArrayList<>();
    private long fence;
    private boolean confirming;
    private boolean failed;
    private int confirmed;
    private int refused;
    private int silent;
    private @Nullable Throwable failure;
    private @Nullable QuorumLease lease;

    QuorumAttempt(QuorumNodes nodes) {
        this.nodes = nodes;
    }

    CompletableFuture<Optional<QuorumLease>> start() {
        for (int i = 0; i < nodes.size(); i++) {
            int node = i;
            nodes.run(
                            node,
                            ACQUIRE,
                            new byte[][] {nodes.lock(node), nodes.fence(node)},
                            Text.bytes(token),
                            Text.bytes(nodes.options.leaseMillis()))
                    .whenComplete((reply, error) -> voted(node, reply, error));
        }
        return result;
    }

    private void voted(int node, @Nullable Replies reply, @Nullable Throwable error) {
        List<Integer> confirm = List.of();
        boolean late = false;
        guard.lock();
        try {
            if (reply == null) {
                silent(error);
            } else if (reply.status() == 1) {
                refused++;
            } else if (reply.status() != 0) {
                silent(new CorruptStateException(
                        "quorum lock " + Names.echo(nodes.name) + ": a key of it holds something else on a node",
                        null));
            } else {
                late = failed || (lease != null && !lease.isValid());
                voters.add(node);
                confirm = toConfirm(node, reply.number(1));
            }
        } finally {
            guard.unlock();
        }
        if (late) {
            nodes.undo(node, token);
        }
        confirm.forEach(this::confirm);
        check();
    }

    private void silent(@Nullable Throwable error) {
        silent++;
        failure = error;
    }

    /** The nodes that can be asked to confirm now that one more has voted. */
    private List<Integer> toConfirm(int node, long least) {
        if (confirming) {
            return failed ? List.of() : List.of(node);
        }
        fence = Math.max(fence, least);
        confirming = voters.size() >= nodes.majority();
        return confirming && !failed ? List.copyOf(voters) : List.of();
    }

    private void confirm(int node) {
        nodes.run(
                        node,
                        CONFIRM,
                        new byte[][] {nodes.lock(node), nodes.fence(node)},
                        Text.bytes(token),
                        Text.bytes(fence),
                        FENCE_MEMORY)
                .whenComplete((reply, error) -> {
                    guard.lock();
                    try {
                        if (reply == null) {
                            silent(error);
                        } else if (reply.status() == 0) {
                            confirmed++;
                        } else {
                            refused++;
                        }
                    } finally {
                        guard.unlock();
                    }
                    check();
                });
    }

    /** Ends the attempt when its outcome is sure. */
    private void check() {
        QuorumLease granted;
        Throwable error = null;
        Hold.Terms terms = new Hold.Terms(sentNanos, nodes.options.leaseMillis(), nodes.options.renewal());
        guard.lock();
        try {
            boolean over = terms.validUntilNanos() - System.nanoTime() <= 0;
            boolean grant = confirmed >= nodes.majority() && !over;
            if (lease != null || failed || !(grant || over || refused + silent > nodes.size() - nodes.majority())) {
                return;
            }
            failed = !grant;
            granted = grant ? new QuorumLease(nodes, token, fence, terms) : null;
            lease = granted;
            if (failed && (over || silent > nodes.size() - nodes.majority())) {
                error = unreachable();
            }
        } finally {
            guard.unlock();
        }
        if (granted != null) {
            result.complete(Optional.of(granted));
            return;
        }
        nodes.release(token);
        if (error != null) {
            result.completeExceptionally(error);
        } else {
            result.complete(Optional.empty());
        }
    }

    private Throwable unreachable() {
        Throwable cause = failure;
        return cause instanceof CorruptStateException
                ? cause
                : new NotExecutedException(
                        "quorum lock " + Names.echo(nodes.name) + ": no majority of " + nodes.majority()
                                + " granted it within its lease, as " + silent + " of " + nodes.size()
                                + " nodes did not answer in time; what was granted is given back",
                        cause);
    }
}
