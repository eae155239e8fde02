// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Fail-overs on demand of one cluster, each repeated until every living node has seen it. */
final class FailOvers {
    /** Redis gives an attempt up after five seconds. */
    private static final Duration ATTEMPT = Duration.ofSeconds(6);

    /** As long as Redis takes an election for one and the same, if the time-out of the nodes is not longer than a second. */
    private static final Duration LEAST_ELECTION = Duration.ofSeconds(4);

    private final Supplier<List<RedisServer>> living;
    private final Duration election;
    private final Map<RedisServer, Long> electedNanos = new ConcurrentHashMap<>();

    /**
     * None yet.
     *
     * @param living finds the nodes that must agree
     * @param nodeTimeout of the cluster
     */
    FailOvers(Supplier<List<RedisServer>> living, Duration nodeTimeout) {
        this.living = living;
        Duration four = nodeTimeout.multipliedBy(4);
        this.election = four.compareTo(LEAST_ELECTION) > 0 ? four : LEAST_ELECTION;
    }

    void run(RedisServer replica, RedisServer master) {
        awaitEndOfElection(replica);
        Nodes.await("fail-over to " + replica, () -> attempt(replica, master), replica);
        electedNanos.put(replica, System.nanoTime());
    }

    /**
     * A replica that was elected a moment ago counts the votes of then as its own again: it believes at once that it has
     * won, in the epoch of then, and the others, who know a later one, send it back. Its master keeps clients waiting for
     * five seconds over that.
     */
    private void awaitEndOfElection(RedisServer replica) {
        Long elected = electedNanos.get(replica);
        if (elected != null) {
            GuardedProcess.poll(election, () -> System.nanoTime() - elected > election.toNanos());
        }
    }

    private boolean attempt(RedisServer replica, RedisServer master) {
        if (!GuardedProcess.poll(ATTEMPT, () -> replica.followsItsMaster() || isDone(replica, master))) {
            return false;
        }
        replica.ask("CLUSTER FAILOVER");
        return GuardedProcess.poll(ATTEMPT, () -> isDone(replica, master));
    }

    private boolean isDone(RedisServer replica, RedisServer master) {
        return ClusterView.agree(living.get(), view -> view.isMaster(replica) && !view.isMaster(master));
    }
}
