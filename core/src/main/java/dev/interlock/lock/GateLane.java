// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.CorruptStateException;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** The way of all semaphores and read-write locks of one Interlock to Redis. */
final class GateLane {
    static final LuaScript PROLONG = LuaScript.own(GateLane.class, "prolong");
    /** How often a waiter shows that he lives and looks for himself. */
    static final long BEAT_MILLIS = 500;

    private static final byte[] ALIVE_MICROS = Text.bytes(1_250_000);
    /** As long as the longest lease, and some more for a clock that is set back. */
    private static final byte[] FENCE_MEMORY = Text.bytes(Duration.ofDays(2).toMillis());

    private static final byte[] QUEUE_PATIENCE =
            Text.bytes(Duration.ofSeconds(10).toMillis());
    private static final LuaScript ENTER = LuaScript.own(GateLane.class, "enter");
    private static final LuaScript LEAVE = LuaScript.own(GateLane.class, "leave");
    private static final LuaScript DOWNGRADE = LuaScript.own(GateLane.class, "downgrade");
    private static final LuaScript HOLDERS = LuaScript.own(GateLane.class, "holders");

    private final Engine engine;
    private final byte[] channel;

    GateLane(Engine engine, String channel) {
        this.engine = engine;
        this.channel = Text.bytes(channel);
        engine.scripts().prepare(ENTER, LEAVE, PROLONG, DOWNGRADE, HOLDERS);
    }

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

    /**
     * What is asked for.
     *
     * @param places most holders that share it; 0 to hold it alone
     */
    record Entry(int places) {
        static final Entry ALONE = new Entry(0);

        boolean alone() {
            return places == 0;
        }
    }

    /** A request for a permit. */
    record Ask(String token, Entry entry, long leaseMillis, Mode mode) {}

    /** Granted with its fence, or refused with the time until the next lease ends, 0 if none is held. */
    record Answer(boolean granted, long number) {}

    CompletableFuture<Answer> ask(GateKeys keys, Ask ask) {
        return engine.scripts()
                .run(
                        ENTER,
                        new byte[][] {keys.holders, keys.fence, keys.queue, keys.waiters},
                        Text.bytes(ask.token),
                        Text.bytes(ask.leaseMillis),
                        Text.bytes(ask.entry.alone() ? "w" : "r"),
                        Text.bytes(Math.max(1, ask.entry.places)),
                        Text.bytes(ask.mode.word),
                        channel,
                        ALIVE_MICROS,
                        FENCE_MEMORY,
                        QUEUE_PATIENCE)
                .thenApply(reply -> answer(keys, Replies.of(ENTER, reply)));
    }

    private static Answer answer(GateKeys keys, Replies reply) {
        return switch (reply.status()) {
            case 0 -> new Answer(true, reply.number(1));
            case 1 -> new Answer(false, reply.number(1));
            case 2 -> throw corrupt(keys, "its holders never expire, which Interlock never writes");
            case 3 -> throw corrupt(keys, "its last fence is no whole number");
            default -> throw reply.unexpected();
        };
    }

    private static CorruptStateException corrupt(GateKeys keys, String why) {
        return new CorruptStateException(
                keys.primitive + ' ' + Names.echo(keys.name) + ": " + why
                        + "; nothing was changed: see which other program writes there",
                null);
    }

    /** Gives back what a token holds, and its place in the queue. */
    CompletableFuture<ReleaseResult> leave(GateKeys keys, String token) {
        return engine.scripts()
                .run(LEAVE, new byte[][] {keys.holders, keys.queue, keys.waiters}, Text.bytes(token), ALIVE_MICROS)
                .thenApply(reply -> Replies.of(LEAVE, reply).status() == 0
                        ? new ReleaseResult.Released()
                        : new ReleaseResult.Expired());
    }

    /** Has a token read where it wrote; false if it holds nothing any more. */
    CompletableFuture<Boolean> downgrade(GateKeys keys, String token) {
        return engine.scripts()
                .run(DOWNGRADE, new byte[][] {keys.holders, keys.queue, keys.waiters}, Text.bytes(token))
                .thenApply(reply -> Replies.of(DOWNGRADE, reply).status() == 0);
    }

    /** How many hold permits, then 1 or 0 for each token. */
    CompletableFuture<List<Long>> holders(GateKeys keys, List<String> tokens) {
        byte[][] args = tokens.stream().map(Text::bytes).toArray(byte[][]::new);
        return engine.scripts().run(HOLDERS, new byte[][] {keys.holders}, args).thenApply(reply -> {
            List<Long> numbers = new ArrayList<>(args.length + 1);
            ((List<?>) Objects.requireNonNull(reply)).forEach(number -> numbers.add((Long) number));
            return numbers;
        });
    }
}
