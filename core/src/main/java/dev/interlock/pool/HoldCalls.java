// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.RequestConflictException;
import dev.interlock.internal.Bounds;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Every operation about the holds of one shard, written once; the other views wait for it or wrap it. */
final class HoldCalls implements HoldOps {
    private static final LuaScript HOLD = LuaScript.own(HoldCalls.class, "hold");
    private static final LuaScript CONFIRM = LuaScript.own(HoldCalls.class, "confirm");
    private static final LuaScript CANCEL = LuaScript.own(HoldCalls.class, "cancel");
    private static final LuaScript FIND = LuaScript.own(HoldCalls.class, "find");
    private static final int MAX_UNITS = 100;
    private static final int MAX_SWEEP = 1_000;
    private static final Duration MIN_TTL = Duration.ofMillis(1);
    private static final Duration MAX_TTL = Duration.ofDays(7);

    private final Engine engine;
    private final int shard;
    private final Seen seen;
    private final Sweeper sweeper;
    private final byte[][] taking;
    private final byte[][] confirming;
    private final byte[][] cancelling;
    private final byte[][] finding;

    HoldCalls(Engine engine, PoolKeys keys, int shard, Seen seen, Sweeper sweeper) {
        this.engine = engine;
        this.shard = shard;
        this.seen = seen;
        this.sweeper = sweeper;
        taking = new byte[][] {keys.meta, keys.claims, keys.outbox, keys.holds, keys.deadlines, keys.log};
        confirming =
                new byte[][] {keys.meta, keys.claims, keys.outbox, keys.holds, keys.deadlines, keys.log, keys.ended};
        cancelling = new byte[][] {
            keys.meta, keys.claims, keys.outbox, keys.holds, keys.deadlines, keys.log, keys.ended, keys.version
        };
        finding = new byte[][] {keys.holds};
        engine.scripts().prepare(HOLD, CONFIRM, CANCEL, FIND);
    }

    /** One validated request. */
    record Request(String userId, long quantity, long ttlMillis, String requestId) {
        Request(String userId, long quantity, Duration ttl, String requestId) {
            this(
                    Names.name("userId", userId),
                    Bounds.range("quantity", quantity, 1, MAX_UNITS),
                    Bounds.millis("ttl", ttl, MIN_TTL, MAX_TTL),
                    Names.requestId(requestId));
        }
    }

    static int checkSweep(int max) {
        return (int) Bounds.range("max", max, 1, MAX_SWEEP);
    }

    @Override
    public CompletionStage<HoldResult> hold(String userId, long quantity, Duration ttl, String requestId) {
        return hold(new Request(userId, quantity, ttl, requestId));
    }

    @Override
    public CompletionStage<HoldResult> hold(Request request) {
        HoldId id = HoldId.of(shard, request.userId(), request.requestId());
        byte[][] args = {
            Text.bytes(id.key()),
            Text.bytes(id.token()),
            Text.bytes(request.userId()),
            Text.bytes(request.requestId()),
            Text.bytes(request.quantity()),
            Text.bytes(TimeUnit.MILLISECONDS.toMicros(request.ttlMillis()))
        };
        return sweeper.run(() -> engine.scripts().run(HOLD, reply -> reply, taking, seen.args(args)))
                .thenApply(reply -> held(reply, id, request));
    }

    private HoldResult held(Replies reply, HoldId id, Request request) {
        return switch (reply.status()) {
            case 0 -> {
                seen.see(reply.number(4), reply.number(1));
                sweeper.endsIn(TimeUnit.MILLISECONDS.toMicros(request.ttlMillis()));
                yield new HoldResult.Held(
                        id.toString(), reply.number(1), reply.number(2), Times.instant(reply.number(3)));
            }
            case 1 -> new HoldResult.UnknownPool();
            case 2 -> new HoldResult.Rebuilding(IssueLane.REBUILDING_RETRY);
            case 3 -> throw seen.wentBack(reply);
            case 4 -> throw seen.unreadable();
            case 6 -> replayed(id, HoldRecord.parse(reply.text(1)), request);
            case 7 -> new HoldResult.NotOpen(Times.instant(reply.number(1)));
            case 8 -> new HoldResult.Closed();
            case 9 -> new HoldResult.LimitReached(reply.number(1));
            case 10 -> reply.number(1) > 0 ? new HoldResult.Insufficient(reply.number(1)) : new HoldResult.SoldOut();
            default -> throw reply.unexpected();
        };
    }

    private static HoldResult replayed(HoldId id, HoldRecord known, Request request) {
        if (known.quantity() != request.quantity()) {
            throw new RequestConflictException("the request " + Names.echo(request.requestId()) + " held "
                    + known.quantity() + " units before, not " + request.quantity() + "; nothing was changed");
        }
        return new HoldResult.Replayed(known.toHold(id.withToken(known.token())));
    }

    @Override
    public CompletionStage<ConfirmResult> confirm(String holdId) {
        return confirm(HoldId.parse(holdId));
    }

    @Override
    public CompletionStage<ConfirmResult> confirm(HoldId id) {
        return sweeper.run(() -> engine.scripts().run(CONFIRM, reply -> reply, confirming, ending(id)))
                .thenApply(this::confirmed);
    }

    private byte[][] ending(HoldId id) {
        return seen.args(Text.bytes(id.key()), Text.bytes(id.token()), Sweeper.MEMORY_MICROS);
    }

    private ConfirmResult confirmed(Replies reply) {
        return switch (reply.status()) {
            case 0 -> {
                seen.see(reply.number(3), reply.number(4));
                yield new ConfirmResult.Confirmed(reply.number(1), reply.number(2));
            }
            case 1 -> new ConfirmResult.UnknownPool();
            case 2 -> new ConfirmResult.Rebuilding(IssueLane.REBUILDING_RETRY);
            case 3 -> throw seen.wentBack(reply);
            case 4 -> throw seen.unreadable();
            case 6 -> new ConfirmResult.UnknownHold();
            case 7 -> new ConfirmResult.Cancelled();
            case 8 -> new ConfirmResult.LateClosed();
            case 9 -> new ConfirmResult.LateOverLimit(reply.number(1));
            case 10 -> new ConfirmResult.LateNoStock(reply.number(1));
            default -> throw reply.unexpected();
        };
    }

    @Override
    public CompletionStage<CancelResult> cancel(String holdId) {
        return cancel(HoldId.parse(holdId));
    }

    @Override
    public CompletionStage<CancelResult> cancel(HoldId id) {
        return engine.scripts().run(CANCEL, this::cancelled, cancelling, ending(id));
    }

    private CancelResult cancelled(Replies reply) {
        return switch (reply.status()) {
            case 0 -> {
                seen.see(reply.number(2), reply.number(3));
                yield new CancelResult.Cancelled(reply.number(1));
            }
            case 1 -> new CancelResult.UnknownPool();
            case 2 -> new CancelResult.Rebuilding(IssueLane.REBUILDING_RETRY);
            case 3 -> throw seen.wentBack(reply);
            case 4 -> throw seen.unreadable();
            case 6 -> new CancelResult.UnknownHold();
            case 7 ->
                reply.text(1).equals("C") ? new CancelResult.AlreadyConfirmed() : new CancelResult.AlreadyExpired();
            default -> throw reply.unexpected();
        };
    }

    @Override
    public CompletionStage<Optional<Hold>> find(String holdId) {
        return find(HoldId.parse(holdId));
    }

    @Override
    public CompletionStage<Optional<Hold>> find(HoldId id) {
        return engine.scripts().run(FIND, reply -> found(reply, id), finding, Text.bytes(id.key()));
    }

    private static Optional<Hold> found(Replies reply, HoldId id) {
        return switch (reply.status()) {
            case 0 ->
                Optional.of(HoldRecord.parse(reply.text(1)))
                        .filter(known -> known.token().equals(id.token()))
                        .map(known -> known.toHold(id));
            case 1 -> Optional.empty();
            default -> throw reply.unexpected();
        };
    }

    @Override
    public CompletionStage<Integer> sweep(int max) {
        return sweeper.sweep(checkSweep(max));
    }
}
