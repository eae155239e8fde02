// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.CorruptStateException;
import dev.interlock.internal.Combiner;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The way of all locks of one Interlock to Redis: requests for different locks share script calls on a standalone server. */
final class LockLane {
    static final LuaScript RENEW = LuaScript.own(LockLane.class, "renew");
    /**
     * Fences of one grant: room for that many holders in a row before Redis is asked again. Fewer than microseconds pass
     * from a grant to the next, so that fences never run ahead of the clock, which a server that lost its data falls back on.
     */
    static final int ROOM = 64;
    /** How often a waiter shows that he lives and looks for himself. */
    static final long BEAT_MILLIS = 800;
    /** Lease of a waiter that was made owner and does not know yet; longer than a beat, so that he surely finds it. */
    static final long HANDOVER_MILLIS = 1_500;

    private static final int LANES = 2;
    /** A script call of this size runs about half a millisecond. */
    private static final int MAX_BATCH = 100;

    private static final long ALIVE_MICROS = 1_800_000;
    /** As long as the longest lease, and some more for a clock that is set back. */
    private static final Duration FENCE_MEMORY = Duration.ofDays(2);

    private static final byte[] GIVE_BACK = Text.bytes("release");
    private static final byte[] ABANDON = Text.bytes("abandon");
    private static final byte[] FORCE = Text.bytes("force");
    private static final Met GIVEN_BACK = new Met(new ReleaseResult.Released(), 0, false);
    private static final Duration QUEUE_PATIENCE = Duration.ofSeconds(10);
    private static final LuaScript ACQUIRE = LuaScript.own(LockLane.class, "acquire");
    private static final LuaScript RELEASE = LuaScript.own(LockLane.class, "release");
    private static final LuaScript LAPSE = LuaScript.own(LockLane.class, "lapse");
    private static final LuaScript OWNER = LuaScript.own(LockLane.class, "owner");

    private final Engine engine;
    private final List<byte[]> acquireArgs;
    private final List<byte[]> releaseArgs;
    private final Combiner<Request, Object> asks;
    private final Combiner<Request, Object> backs;

    LockLane(Engine engine, String owner) {
        this.engine = engine;
        byte[] room = Text.bytes(ROOM);
        byte[] alive = Text.bytes(ALIVE_MICROS);
        byte[] memory = Text.bytes(FENCE_MEMORY.toMillis());
        acquireArgs = List.of(Text.bytes(owner), room, alive, memory, Text.bytes(QUEUE_PATIENCE.toMillis()));
        releaseArgs = List.of(Text.bytes(owner), room, alive, memory, Text.bytes(HANDOVER_MILLIS));
        int capacity = engine.settings().maxPending();
        asks = new Combiner<>(LANES, MAX_BATCH, capacity, this::sendAsks);
        backs = new Combiner<>(LANES, MAX_BATCH, capacity, this::sendBacks);
        engine.scripts().prepare(ACQUIRE, RELEASE, RENEW, OWNER, LAPSE);
    }

    /** One lock of a call, with its arguments. */
    private record Request(LockKeys keys, List<byte[]> args) {}

    /** How a request treats those who wait. */
    enum Mode {
        ONCE("once"),
        BARGE("barge"),
        QUEUE("queue");

        private final String word;

        Mode(String word) {
            this.word = word;
        }
    }

    /** A request for a lock. */
    record Ask(LockKeys keys, String token, long leaseMillis, Mode mode) {}

    /** Granted with its first fence, or refused with the remaining time of the holder. */
    record Answer(boolean granted, long number, boolean somebodyWaits) {}

    /** A lock to give back; with the token of a local waiter who joins the queue in the same step, or none. */
    record Back(LockKeys keys, String token, @Nullable String heir, long heirLeaseMillis) {}

    /** What a release met, and the first fence of the heir if he is the owner now, else 0. */
    record Met(ReleaseResult result, long heirFence, boolean somebodyWaits) {}

    CompletableFuture<Answer> ask(Ask ask) {
        List<byte[]> own = List.of(Text.bytes(ask.token), Text.bytes(ask.leaseMillis), Text.bytes(ask.mode.word));
        return run(asks, this::sendAsks, new Request(ask.keys, own)).thenApply(reply -> answer(ask.keys, reply));
    }

    /** Owner, room, alive, memory: the first arguments of every script that grants locks. */
    List<byte[]> grantArgs() {
        return acquireArgs.subList(0, 4);
    }

    /** What a call failed with. */
    static Throwable cause(@Nullable Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        return cause == null ? new IllegalStateException("no answer and no failure") : cause;
    }

    private static Answer answer(LockKeys keys, Object value) {
        if (value instanceof Long fence) {
            return new Answer(true, fence, false);
        }
        Replies reply = Replies.of(ACQUIRE, value);
        return switch (reply.status()) {
            case 0 -> new Answer(true, reply.number(1), reply.number(2) == 1);
            case 1 -> new Answer(false, reply.number(1), false);
            case 2 -> throw corrupt(keys, "a key of it holds something else: " + reply.text(1));
            case 3 ->
                throw corrupt(keys, "its key never expires, which Interlock never writes: another program holds it");
            default -> throw reply.unexpected();
        };
    }

    private static CorruptStateException corrupt(LockKeys keys, String why) {
        return new CorruptStateException(
                "lock " + Names.echo(keys.name) + ": " + why
                        + "; nothing was changed: see which other program writes there",
                null);
    }

    CompletableFuture<Met> giveBack(Back back) {
        return release(
                back.keys,
                back.token,
                back.heir == null ? GIVE_BACK : Text.bytes(back.heir + ' ' + back.heirLeaseMillis));
    }

    /** Releases if the token owns the lock, and takes it out of the queue. Changes nothing if it does neither. */
    CompletableFuture<Met> abandon(LockKeys keys, String token) {
        return release(keys, token, ABANDON);
    }

    /** Releases whoever owns the lock. */
    CompletableFuture<Met> force(LockKeys keys) {
        return release(keys, "", FORCE);
    }

    private CompletableFuture<Met> release(LockKeys keys, String token, byte[] mode) {
        return run(backs, this::sendBacks, new Request(keys, List.of(Text.bytes(token), mode)))
                .thenApply(reply -> met(keys, reply));
    }

    private static Met met(LockKeys keys, Object value) {
        if (value instanceof Long) {
            return GIVEN_BACK;
        }
        Replies reply = Replies.of(RELEASE, value);
        return switch (reply.status()) {
            case 0 -> new Met(new ReleaseResult.Released(), reply.number(1), reply.number(2) == 1);
            case 1 -> new Met(new ReleaseResult.Expired(), 0, false);
            case 2 -> new Met(new ReleaseResult.OwnedByAnother(), 0, false);
            case 3 -> throw corrupt(keys, "a key of it holds something else: " + reply.text(1));
            default -> throw reply.unexpected();
        };
    }

    /** In a cluster a call serves one slot, so each request goes alone. */
    private CompletableFuture<Object> run(
            Combiner<Request, Object> combiner,
            Function<List<Request>, CompletableFuture<List<Object>>> send,
            Request request) {
        return engine.cluster()
                ? send.apply(List.of(request)).thenApply(replies -> replies.get(0))
                : combiner.submit(request);
    }

    private CompletableFuture<List<Object>> sendAsks(List<Request> batch) {
        return send(ACQUIRE, acquireArgs, batch);
    }

    private CompletableFuture<List<Object>> sendBacks(List<Request> batch) {
        return send(RELEASE, releaseArgs, batch);
    }

    @SuppressWarnings("unchecked")
    private CompletableFuture<List<Object>> send(LuaScript script, List<byte[]> common, List<Request> batch) {
        List<byte[]> keys = new ArrayList<>(4 * batch.size());
        List<byte[]> args = new ArrayList<>(common.size() + 3 * batch.size());
        args.addAll(common);
        for (Request request : batch) {
            LockKeys of = request.keys;
            Collections.addAll(keys, of.lock, of.fence, of.queue, of.waiters);
            args.addAll(request.args);
        }
        return engine.scripts()
                .run(script, keys.toArray(byte[][]::new), args.toArray(byte[][]::new))
                .thenApply(reply -> (List<Object>) Objects.requireNonNull(reply));
    }

    /** Who owns the lock; null if nobody does. */
    CompletableFuture<@Nullable LockOwner> owner(LockKeys keys) {
        return engine.scripts().run(OWNER, new byte[][] {keys.lock, keys.queue}).thenApply(answer -> {
            Replies reply = Replies.of(OWNER, answer);
            return reply.status() == 0 ? null : LockOwner.parse(reply.text(1), reply.number(2), reply.number(3));
        });
    }

    /** Has a lock lapse after a while, if its token still owns it. */
    CompletableFuture<ReleaseResult> lapse(LockKeys keys, String token, long millis) {
        return engine.scripts()
                .run(
                        LAPSE,
                        reply -> switch (reply.status()) {
                            case 0 -> new ReleaseResult.Released();
                            case 1 -> new ReleaseResult.Expired();
                            case 2 -> new ReleaseResult.OwnedByAnother();
                            default -> throw reply.unexpected();
                        },
                        new byte[][] {keys.lock},
                        Text.bytes(token),
                        Text.bytes(millis));
    }
}
