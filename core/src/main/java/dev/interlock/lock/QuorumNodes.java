// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.NotExecutedException;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** The servers of one quorum lock. */
final class QuorumNodes {
    private static final LuaScript RENEW = LuaScript.own(QuorumNodes.class, "quorum_renew");
    private static final LuaScript RELEASE = LuaScript.own(QuorumNodes.class, "quorum_release");
    private static final String PRIMITIVE = "quorum";

    final String name;
    final QuorumOptions options;
    private final List<Leases> nodes;

    QuorumNodes(String name, QuorumOptions options, List<Leases> nodes) {
        this.name = name;
        this.options = options;
        this.nodes = List.copyOf(nodes);
        for (Leases node : nodes) {
            node.engine().scripts().prepare(QuorumAttempt.ACQUIRE, QuorumAttempt.CONFIRM, RENEW, RELEASE);
        }
    }

    int size() {
        return nodes.size();
    }

    int majority() {
        return nodes.size() / 2 + 1;
    }

    byte[] lock(int node) {
        return nodes.get(node).engine().keys().of(PRIMITIVE, name);
    }

    byte[] fence(int node) {
        return nodes.get(node).engine().keys().part(PRIMITIVE, name, "fence");
    }

    /** Asks one node; the answer comes within the node time-out, as a failure if need be. */
    CompletableFuture<Replies> run(int node, LuaScript script, byte[][] keys, byte[]... args) {
        try {
            return nodes.get(node)
                    .engine()
                    .scripts()
                    .run(script, options.nodeTimeout().toMillis(), keys, args)
                    .thenApply(reply -> Replies.of(script, reply));
        } catch (RuntimeException e) {
            // The Interlock of the node is closed.
            return CompletableFuture.failedFuture(new NotExecutedException("a node of the quorum lock is closed", e));
        }
    }

    /** Prolongs a lease; how many nodes did, known once a majority did or all have answered. */
    CompletableFuture<Tally> renew(String token) {
        return count(node ->
                run(node, RENEW, new byte[][] {lock(node)}, Text.bytes(token), Text.bytes(options.leaseMillis())));
    }

    /** Gives back everywhere; in the background where a node does not answer. */
    CompletableFuture<Tally> release(String token) {
        return count(node -> release(node, token).whenComplete((met, error) -> {
            if (error != null) {
                undo(node, token);
            }
        }));
    }

    private CompletableFuture<Replies> release(int node, String token) {
        return run(node, RELEASE, new byte[][] {lock(node)}, Text.bytes(token));
    }

    /** Gives back on one node what it may have granted, until it has answered or everything has lapsed. */
    void undo(int node, String token) {
        Undo.start(nodes.get(node), () -> release(node, token), options.leaseMillis(), true);
    }

    /** What the nodes said: status 0, any other, no answer. */
    record Tally(int yes, int no, int silent) {}

    private interface Question {
        CompletableFuture<Replies> ask(int node);
    }

    private CompletableFuture<Tally> count(Question question) {
        CompletableFuture<Tally> result = new CompletableFuture<>();
        AtomicInteger yes = new AtomicInteger();
        AtomicInteger no = new AtomicInteger();
        AtomicInteger silent = new AtomicInteger();
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int node = 0; node < size(); node++) {
            all.add(question.ask(node).handle((reply, error) -> {
                AtomicInteger counter = error != null ? silent : reply.status() == 0 ? yes : no;
                if (counter.incrementAndGet() == majority() && counter != silent) {
                    result.complete(new Tally(yes.get(), no.get(), silent.get()));
                }
                return null;
            }));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .thenRun(() -> result.complete(new Tally(yes.get(), no.get(), silent.get())));
        return result;
    }

    /** Runs a short task on a timer of a node that is still open; never, once all are closed. */
    void later(Runnable task, long millis) {
        for (Leases node : nodes) {
            if (node.later(task, millis) != null) {
                return;
            }
        }
    }

    /** Runs a user's callback. */
    void call(Runnable callback) {
        nodes.get(0).call(callback);
    }
}
