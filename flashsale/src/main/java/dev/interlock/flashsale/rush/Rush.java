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
        Workload workload = settings.workload();
        progress.say(settings.redis().isEmpty() || settings.database() == null ? "starting servers" : "connecting");
        Servers servers = Servers.open(settings, cleanup);
        LedgerSchema.migrate(servers.database());
        Interlock interlock = cleanup.add(RushSettings.connect(servers.redis()));
        Pool pool = interlock.pool(poolName);
        pool.create(PoolConfig.of(workload.coupons()));
        Relay relay = cleanup.add(Relay.of(pool, poolName, servers.database(), RELAY, new LedgerListener() {
            @Override
            public void recorded(int events, long lag) {
                lastRecordedMillis = System.currentTimeMillis();
            }
        }));
        relay.start();
        List<Node> nodes = nodes(servers, pool);
        progress.say(String.format(
                Locale.ROOT,
                "pool %s: %,d requests of %,d users for %,d coupons from %d node%s, seed %d",
                poolName,
                workload.requests(),
                workload.users(),
                workload.coupons(),
                settings.nodes(),
                settings.nodes() == 1 ? "" : "s",
                workload.seed()));
        Outcome told = decide(nodes);
        FactReader reader = new FactReader(interlock, poolName, servers.database());
        reader.awaitRecorded();
        Facts facts = reader.read(workload, told);
        long recordedMillis =
                told.lastIssuedMillis() == 0 ? 0 : Math.max(0, lastRecordedMillis - told.lastIssuedMillis());
        return new Result(
                settings,
                poolName,
                servers.databaseName(),
                facts,
                new Result.Times(told.elapsedNanos(), recordedMillis));
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
