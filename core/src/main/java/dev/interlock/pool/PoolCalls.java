// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.CorruptStateException;
import dev.interlock.Operation;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import dev.interlock.pool.Restoration.Point;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Every operation of a pool, written once; the other views wait for it or wrap it. */
final class PoolCalls implements Pool.Async {
    private static final LuaScript CREATE = LuaScript.own(PoolCalls.class, "create");
    private static final LuaScript STATE = LuaScript.own(PoolCalls.class, "state");
    private static final LuaScript TRIM = LuaScript.own(PoolCalls.class, "trim");
    private static final LuaScript FENCE = LuaScript.own(PoolCalls.class, "fence");

    private final Engine engine;
    private final String name;
    private final Shard shard;
    private final PoolKeys keys;
    private final Seen seen;
    private final Sweeper sweeper;
    private final IssueLane issues;
    private final HoldCalls holds;
    private final ControlCalls control;
    private final Map<Durability, DurableCalls> durable = new ConcurrentHashMap<>();

    PoolCalls(Engine engine, String name, Shard shard) {
        this.engine = engine;
        this.name = name;
        this.shard = shard;
        this.keys = new PoolKeys(engine.keys(), name, shard);
        this.seen = new Seen(shard.count() == 1 ? name : name + ' ' + shard);
        this.sweeper = new Sweeper(engine, keys, seen);
        this.issues = new IssueLane(engine, keys, seen, sweeper);
        this.holds = new HoldCalls(engine, keys, shard.index(), seen, sweeper);
        this.control = new ControlCalls(engine, keys, seen);
        engine.scripts().prepare(CREATE, STATE, TRIM, FENCE);
    }

    @Override
    public CompletionStage<CreateResult> create(PoolConfig config) {
        return engine.scripts()
                .run(
                        CREATE,
                        this::created,
                        new byte[][] {keys.meta, keys.claims, keys.outbox, keys.version},
                        Text.token(),
                        Text.bytes(config.epoch()),
                        Text.bytes(config.total()),
                        Text.bytes(config.limitPerUser()),
                        Text.bytes(config.opensMicros()),
                        Text.bytes(config.closesMicros()),
                        seen.args()[0]);
    }

    private CreateResult created(Replies reply) {
        return switch (reply.status()) {
            case 0 -> new CreateResult.Created();
            case 1 -> new CreateResult.Exists(poolState(reply));
            case 3 -> new CreateResult.Dropped(reply.number(1));
            case 2 ->
                throw new CorruptStateException(
                        "pool " + Names.echo(name)
                                + ": there are claims or events of it in Redis but no state; nothing was changed: restore the state, or"
                                + " remove what is left if the pool is given up",
                        null);
            case 4 -> new CreateResult.Rebuilding(seen.retryAfter(reply));
            default -> throw reply.unexpected();
        };
    }

    @Override
    public CompletionStage<IssueResult> issue(String userId, String requestId) {
        return issue(request(userId, requestId));
    }

    static IssueLane.Request request(String userId, String requestId) {
        return new IssueLane.Request(Names.name("userId", userId), Names.requestId(requestId));
    }

    CompletionStage<IssueResult> issue(IssueLane.Request request) {
        return engine.telling().end(Operation.POOL_ISSUE, issues.issue(request));
    }

    @Override
    public CompletionStage<Optional<PoolState>> state() {
        return backlog(Outbox.START).thenApply(found -> found.map(Outbox.Backlog::state));
    }

    CompletionStage<Optional<Outbox.Backlog>> backlog(String afterId) {
        byte[][] read = {keys.meta, keys.claims, keys.outbox};
        Point known = seen.latest();
        return engine.scripts()
                .run(STATE, PoolCalls::backlogOf, read, Text.bytes(afterId))
                .thenApply(found -> noticed(known, found));
    }

    /** Reading changes nothing, so the reader gets what there is. */
    private Optional<Outbox.Backlog> noticed(Point known, Optional<Outbox.Backlog> found) {
        boolean lost = found.map(Outbox.Backlog::state)
                .map(state -> known.isAfter(new Point(state.epoch(), state.sequence())))
                .orElse(known.epoch() > 0);
        if (lost) {
            seen.alert();
        }
        return found;
    }

    private static Optional<Outbox.Backlog> backlogOf(Replies reply) {
        return switch (reply.status()) {
            case 0 ->
                Optional.of(new Outbox.Backlog(
                        poolState(reply), EventCodec.sequenceOf(reply.text(6)), reply.text(8), reply.number(9)));
            case 1 -> Optional.empty();
            default -> throw reply.unexpected();
        };
    }

    private static PoolState poolState(Replies reply) {
        return new PoolState(
                reply.number(1),
                reply.number(2),
                reply.number(3),
                reply.number(7),
                reply.number(4),
                reply.number(5) == 1);
    }

    CompletionStage<Boolean> fence(long epoch, boolean fenced, String holder) {
        return engine.scripts()
                .run(
                        FENCE,
                        reply -> reply.status() == 0,
                        new byte[][] {keys.meta, keys.version},
                        Text.bytes(epoch),
                        Text.bytes(fenced ? "fenced" : "open"),
                        Text.bytes(holder));
    }

    CompletionStage<Long> trim(String throughId, String nextId) {
        return engine.scripts()
                .run(
                        TRIM,
                        reply -> reply.number(1),
                        new byte[][] {keys.outbox, keys.log, keys.recorded},
                        Text.bytes(throughId),
                        Text.bytes(nextId));
    }

    HoldCalls holds() {
        return holds;
    }

    ControlCalls control() {
        return control;
    }

    IssueLane issues() {
        return issues;
    }

    Sweeper sweeper() {
        return sweeper;
    }

    Transfers transfers() {
        return new Transfers(engine, keys, seen);
    }

    /** The same for the same level, so that those who wait share the waiting. */
    DurableCalls durable(Durability wanted) {
        return durable.computeIfAbsent(wanted, level -> new DurableCalls(this, seen, level, arrival(level)));
    }

    private DurableCalls.Arrival arrival(Durability wanted) {
        return switch (wanted.level()) {
            case MEMORY -> event -> CompletableFuture.completedStage(DurableCalls.Reached.MEMORY);
            case REPLICATED, FSYNCED -> new ServerArrival(engine, keys, wanted);
            case RECORDED -> new RecordArrival(engine, keys, wanted);
        };
    }

    Outbox outbox() {
        Siblings siblings = new ShardSiblings(engine, name, shard);
        return new StreamOutbox(engine, this, keys, new ShardRestoration(engine, keys, seen, siblings));
    }
}
