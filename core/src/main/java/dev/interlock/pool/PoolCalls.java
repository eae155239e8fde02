// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.CorruptStateException;
import dev.interlock.Operation;
import dev.interlock.internal.Bounds;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Every operation of a pool, written once; the other views wait for it or wrap it. */
final class PoolCalls implements Pool.Async {
    static final int SHARD = 0;

    private static final LuaScript CREATE = LuaScript.own(PoolCalls.class, "create");
    private static final LuaScript STATE = LuaScript.own(PoolCalls.class, "state");
    private static final LuaScript ADJUST = LuaScript.own(PoolCalls.class, "adjust");
    private static final LuaScript REVOKE = LuaScript.own(PoolCalls.class, "revoke");
    private static final LuaScript FENCE = LuaScript.own(PoolCalls.class, "fence");
    /** Largest whole number that Lua counts exactly; as a time in microseconds it is the year 2255. */
    private static final long MAX_EXACT = 1L << 53;

    private final Engine engine;
    private final String name;
    private final PoolKeys keys;
    private final IssueLane issues;

    PoolCalls(Engine engine, String name) {
        this.engine = engine;
        this.name = name;
        this.keys = new PoolKeys(engine.keys(), name, SHARD);
        this.issues = new IssueLane(engine, name, keys);
        engine.scripts().prepare(CREATE, STATE, ADJUST, REVOKE, FENCE);
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
                        Text.bytes(micros(config.opensAt(), 0)),
                        Text.bytes(micros(config.closesAt(), MAX_EXACT)));
    }

    private CreateResult created(Replies reply) {
        return switch (reply.status()) {
            case 0 -> new CreateResult.Created();
            case 1 -> new CreateResult.Exists(poolState(reply));
            case 2 ->
                throw new CorruptStateException(
                        "pool " + Names.echo(name)
                                + ": there are claims or events of it in Redis but no state; nothing was changed: restore the state, or"
                                + " remove what is left if the pool is given up",
                        null);
            default -> throw reply.unexpected();
        };
    }

    private static long micros(@Nullable Instant time, long absent) {
        return time == null ? absent : time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
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
        return engine.scripts().run(STATE, PoolCalls::backlogOf, read, Text.bytes(afterId));
    }

    private static Optional<Outbox.Backlog> backlogOf(Replies reply) {
        return switch (reply.status()) {
            case 0 -> Optional.of(new Outbox.Backlog(poolState(reply), EventCodec.sequenceOf(reply.text(6))));
            case 1 -> Optional.empty();
            default -> throw reply.unexpected();
        };
    }

    private static PoolState poolState(Replies reply) {
        return new PoolState(reply.number(1), reply.number(2), reply.number(3), reply.number(4), reply.number(5) == 1);
    }

    @Override
    public CompletionStage<AdjustResult> adjust(Adjustment adjustment) {
        return engine.scripts()
                .run(
                        ADJUST,
                        PoolCalls::adjusted,
                        new byte[][] {keys.meta, keys.outbox, keys.journal, keys.version},
                        Text.token(),
                        Text.bytes(adjustment.epoch()),
                        Text.bytes(adjustment.basedOn()),
                        Text.bytes(adjustment.delta()),
                        Text.bytes(Bounds.MAX_TOTAL),
                        Text.bytes(adjustment.reason()));
    }

    @Override
    public CompletionStage<AdjustResult> revoke(String userId, long sequence, String reason) {
        checkRevoke(userId, sequence, reason);
        return engine.scripts()
                .run(
                        REVOKE,
                        PoolCalls::adjusted,
                        new byte[][] {keys.meta, keys.claims, keys.outbox, keys.journal, keys.version},
                        Text.token(),
                        Text.bytes(userId),
                        Text.bytes(sequence),
                        Text.bytes(reason));
    }

    static void checkRevoke(String userId, long sequence, String reason) {
        Names.name("userId", userId);
        Bounds.range("sequence", sequence, 1, MAX_EXACT);
        Names.reason(reason);
    }

    private static AdjustResult adjusted(Replies reply) {
        return switch (reply.status()) {
            case 0 -> new AdjustResult.Adjusted(reply.number(1), reply.number(2));
            case 1 -> new AdjustResult.NoPool();
            case 2 -> new AdjustResult.Fenced();
            case 3 -> new AdjustResult.Outdated(reply.number(1));
            default -> throw reply.unexpected();
        };
    }

    CompletionStage<Boolean> fence(long epoch, boolean fenced) {
        return engine.scripts()
                .run(
                        FENCE,
                        reply -> reply.status() == 0,
                        new byte[][] {keys.meta, keys.version},
                        Text.bytes(epoch),
                        Text.bytes(fenced ? "fenced" : "open"));
    }

    Outbox outbox() {
        return new StreamOutbox(engine, this, keys);
    }
}
