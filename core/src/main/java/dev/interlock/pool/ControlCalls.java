// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.RequestConflictException;
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

/** Every operation of a pool's keeper on one shard, written once; the other views wait for it or wrap it. */
final class ControlCalls implements PoolControl.Async {
    private static final LuaScript RESTOCK = LuaScript.own(ControlCalls.class, "restock");
    private static final LuaScript ADJUST = LuaScript.own(ControlCalls.class, "adjust");
    private static final LuaScript REVOKE = LuaScript.own(ControlCalls.class, "revoke");
    private static final LuaScript SCHEDULE = LuaScript.own(ControlCalls.class, "schedule");
    private static final LuaScript DROP = LuaScript.own(ControlCalls.class, "drop");
    private static final LuaScript SETTINGS = LuaScript.own(ControlCalls.class, "settings");

    private final Engine engine;
    private final PoolKeys keys;
    private final Seen seen;

    ControlCalls(Engine engine, PoolKeys keys, Seen seen) {
        this.engine = engine;
        this.keys = keys;
        this.seen = seen;
        engine.scripts().prepare(RESTOCK, ADJUST, REVOKE, SCHEDULE, DROP, SETTINGS);
    }

    /** One validated restock. */
    record Restock(long quantity, String requestId) {
        Restock {
            Bounds.quantity(quantity);
            Names.requestId(requestId);
        }
    }

    @Override
    public CompletionStage<RestockResult> restock(long quantity, String requestId) {
        return restock(new Restock(quantity, requestId));
    }

    CompletionStage<RestockResult> restock(Restock restock) {
        return engine.scripts()
                .run(
                        RESTOCK,
                        reply -> restocked(reply, restock),
                        new byte[][] {keys.meta, keys.outbox, keys.journal, keys.log, keys.version},
                        seen.args(
                                Text.bytes(restock.requestId()),
                                Text.token(),
                                Text.bytes(restock.quantity()),
                                Text.bytes(Bounds.MAX_TOTAL)));
    }

    private RestockResult restocked(Replies reply, Restock restock) {
        return switch (reply.status()) {
            case 0 -> {
                seen.see(reply.number(3), reply.number(1));
                yield new RestockResult.Restocked(reply.number(1), reply.number(2));
            }
            case 1 -> new RestockResult.UnknownPool();
            case 2 -> new RestockResult.Fenced();
            case 3 -> throw seen.wentBack(reply);
            case 4 -> throw seen.unreadable();
            case 6 -> {
                if (reply.number(2) != restock.quantity()) {
                    throw new RequestConflictException("the request " + Names.echo(restock.requestId()) + " added "
                            + reply.number(2) + " units before, not " + restock.quantity() + "; nothing was changed");
                }
                yield new RestockResult.Replayed(reply.number(1));
            }
            case 7 -> new RestockResult.TooMany(reply.number(1));
            default -> throw reply.unexpected();
        };
    }

    @Override
    public CompletionStage<AdjustResult> adjust(Adjustment adjustment) {
        return engine.scripts()
                .run(
                        ADJUST,
                        ControlCalls::adjusted,
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
                        ControlCalls::adjusted,
                        new byte[][] {keys.meta, keys.claims, keys.outbox, keys.journal, keys.version},
                        Text.token(),
                        Text.bytes(userId),
                        Text.bytes(sequence),
                        Text.bytes(reason));
    }

    static void checkRevoke(String userId, long sequence, String reason) {
        Names.name("userId", userId);
        Bounds.range("sequence", sequence, 1, Times.MAX_EXACT);
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

    @Override
    public CompletionStage<ScheduleResult> schedule(@Nullable Instant opensAt, @Nullable Instant closesAt) {
        PoolConfig checked = times(opensAt, closesAt);
        return engine.scripts()
                .run(
                        SCHEDULE,
                        this::scheduled,
                        new byte[][] {keys.meta, keys.outbox, keys.log, keys.version},
                        seen.args(
                                Text.token(),
                                Text.bytes(Times.micros(checked.opensAt(), 0)),
                                Text.bytes(Times.micros(checked.closesAt(), Times.MAX_EXACT))));
    }

    static PoolConfig times(@Nullable Instant opensAt, @Nullable Instant closesAt) {
        return PoolConfig.of(0).open(opensAt, closesAt);
    }

    private ScheduleResult scheduled(Replies reply) {
        return switch (reply.status()) {
            case 0 -> {
                seen.see(reply.number(2), reply.number(1));
                yield new ScheduleResult.Scheduled(reply.number(1));
            }
            case 1 -> new ScheduleResult.UnknownPool();
            case 2 -> new ScheduleResult.Fenced();
            case 3 -> throw seen.wentBack(reply);
            case 4 -> throw seen.unreadable();
            default -> throw reply.unexpected();
        };
    }

    @Override
    public CompletionStage<DropResult> drop(long epoch) {
        return engine.scripts()
                .run(
                        DROP,
                        ControlCalls::dropped,
                        new byte[][] {
                            keys.meta,
                            keys.claims,
                            keys.outbox,
                            keys.holds,
                            keys.deadlines,
                            keys.log,
                            keys.ended,
                            keys.journal,
                            keys.version,
                            keys.outgoing,
                            keys.incoming,
                            keys.recorded
                        },
                        Text.bytes(checkEpoch(epoch)),
                        Text.token());
    }

    static long checkEpoch(long epoch) {
        return Bounds.range("epoch", epoch, 1, PoolConfig.MAX_EPOCH);
    }

    private static DropResult dropped(Replies reply) {
        return switch (reply.status()) {
            case 0 -> new DropResult.Dropped(reply.number(1));
            case 1 -> new DropResult.UnknownPool();
            case 2 -> new DropResult.Fenced();
            case 6 -> new DropResult.StillOpen(Times.instant(reply.number(1)));
            case 7 -> new DropResult.StillHeld(reply.number(1));
            case 8 -> new DropResult.Unrecorded(reply.number(1));
            case 9 -> new DropResult.InTransit(reply.number(1));
            default -> throw reply.unexpected();
        };
    }

    @Override
    public CompletionStage<Optional<PoolConfig>> settings() {
        return engine.scripts().run(SETTINGS, ControlCalls::settings, new byte[][] {keys.meta});
    }

    private static Optional<PoolConfig> settings(Replies reply) {
        return switch (reply.status()) {
            case 0 ->
                Optional.of(new PoolConfig(
                        reply.number(1),
                        (int) reply.number(2),
                        reply.number(3) == 0 ? null : Times.instant(reply.number(3)),
                        reply.number(4) == Times.MAX_EXACT ? null : Times.instant(reply.number(4)),
                        reply.number(5)));
            case 1 -> Optional.empty();
            default -> throw reply.unexpected();
        };
    }
}
