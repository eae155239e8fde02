// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import dev.interlock.Interlock;
import dev.interlock.flashsale.console.Cleanup;
import dev.interlock.flashsale.console.Progress;
import dev.interlock.ledger.LedgerListener;
import dev.interlock.ledger.LedgerSchema;
import dev.interlock.ledger.Relay;
import dev.interlock.ledger.RelayOptions;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** One run of the main job, from the servers to the facts. */
final class Rush {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final long PROGRESS_NANOS = 20_000_000;
    private static final RelayOptions RELAY = RelayOptions.DEFAULTS.withPoll(Duration.ofMillis(20));

    private final RushSettings settings;
    private final String mainClass;
    private final Progress progress;
    private final Cleanup cleanup;
    private final String poolName;
    private volatile long lastRecordedMillis;

    /** Whatever it opens, the clean-up closes. */
    Rush(RushSettings settings, String mainClass, Progress progress, Cleanup cleanup) {
        this.settings = settings;
        this.mainClass = mainClass;
        this.progress = progress;
        this.cleanup = cleanup;
        // Unique, so that runs on one server never meet.
        this.poolName = "rush-" + TIME.format(Instant.now()) + '-'
                + Integer.toHexString(ThreadLocalRandom.current().nextInt(0x1000, 0x10000));
    }

    Result run() {
        progress.say(settings.redis().isEmpty() || settings.database() == null ? "starting servers" : "connecting");
        Servers servers = Servers.open(settings, cleanup);
        LedgerSchema.migrate(servers.database());
        Interlock interlock = cleanup.add(RushSettings.connect(servers.redis()));
        Pool pool = interlock.pool(poolName);
        pool.create(PoolConfig.of(settings.workload().coupons()));
        startRelay(pool, servers.database());
        List<Node> nodes = nodes(servers, pool);
        announce();
        Outcome told = decide(nodes);
        FactReader reader = new FactReader(interlock, poolName, servers.database());
        reader.awaitRecorded();
        Facts facts = reader.read(settings.workload(), told);
        long lastIssued = told.lastIssuedMillis();
        long recordedMillis = lastIssued == 0 ? 0 : Math.max(0, lastRecordedMillis - lastIssued);
        Result.Times times = new Result.Times(told.elapsedNanos(), recordedMillis);
        return new Result(settings, poolName, servers.databaseName(), facts, times);
    }

    private void startRelay(Pool pool, DataSource database) {
        LedgerListener clock = new LedgerListener() {
            @Override
            public void recorded(int events, long lag) {
                lastRecordedMillis = System.currentTimeMillis();
            }
        };
        cleanup.add(Relay.of(pool, poolName, database, RELAY, clock)).start();
    }

    private void announce() {
        Workload workload = settings.workload();
        progress.say(String.format(
                Locale.ROOT,
                "pool %s: %,d requests of %,d users for %,d coupons, nodes: %d, seed %d",
                poolName,
                workload.requests(),
                workload.users(),
                workload.coupons(),
                settings.nodes(),
                workload.seed()));
    }

    private List<Node> nodes(Servers servers, Pool pool) {
        int count = settings.nodes();
        int threads = settings.threadsPerNode();
        if (count == 1) {
            Load.Share all = new Load.Share(0, 1);
            return List.of(cleanup.add(new LocalNode(new Load(settings.workload(), all, pool, threads))));
        }
        progress.say("starting " + count + " nodes");
        List<NodeProcess> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Load.Share share = new Load.Share(i, count);
            NodeTask task = new NodeTask(servers.redis(), poolName, settings.workload(), share, threads);
            nodes.add(cleanup.add(NodeProcess.start(task, mainClass)));
        }
        nodes.forEach(NodeProcess::awaitReady);
        return List.copyOf(nodes);
    }

    /** Lets all nodes go and adds up what they were told. */
    private Outcome decide(List<Node> nodes) {
        try (Progress.Bar bar = progress.bar("deciding", settings.workload().requests())) {
            nodes.forEach(Node::start);
            while (!nodes.stream().allMatch(Node::ended)) {
                // The others need not go on if one has failed.
                nodes.stream().filter(Node::ended).forEach(Node::outcome);
                bar.at(nodes.stream().mapToLong(Node::progress).sum());
                LockSupport.parkNanos(PROGRESS_NANOS);
            }
            bar.at(nodes.stream().mapToLong(Node::progress).sum());
        }
        Tally tally = new Tally();
        Claims claims = new Claims(settings.workload().coupons());
        long elapsedNanos = 0;
        long lastIssuedMillis = 0;
        for (Node node : nodes) {
            Outcome outcome = node.outcome();
            tally.add(outcome.tally());
            claims.addEncoded(outcome.claims().encode());
            elapsedNanos = Math.max(elapsedNanos, outcome.elapsedNanos());
            lastIssuedMillis = Math.max(lastIssuedMillis, outcome.lastIssuedMillis());
        }
        return new Outcome(tally, claims, elapsedNanos, lastIssuedMillis);
    }
}
