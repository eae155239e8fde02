// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.CorruptStateException;
import dev.interlock.internal.Combiner;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/** The way of a pool's issue requests to Redis: combined into script calls, and answered here once the pool is sold out. */
final class IssueLane {
    /** Found by measurement, see {@code docs/decisions.md}. */
    static final int LANES = 2;

    static final int MAX_BATCH = 256;

    private static final LuaScript ISSUE = LuaScript.own(IssueLane.class, "issue");
    private static final IssueResult SOLD_OUT = new IssueResult.SoldOut();
    private static final Duration REBUILDING_RETRY = Duration.ofSeconds(1);
    private static final int FIRST_SEQUENCE = 7;

    private final Engine engine;
    private final String name;
    private final byte[][] keys;
    private final Combiner<Request, IssueResult> combiner;
    private final SoldOutShortcut shortcut;
    private final AtomicReference<Seen> seen = new AtomicReference<>(Seen.NOTHING);

    IssueLane(Engine engine, String name, PoolKeys keys) {
        this.engine = engine;
        this.name = name;
        this.keys = new byte[][] {keys.meta, keys.claims, keys.outbox};
        this.combiner = new Combiner<>(LANES, MAX_BATCH, engine.settings().maxPending(), this::send);
        this.shortcut = new SoldOutShortcut(engine, keys);
        engine.scripts().prepare(ISSUE);
    }

    /** One validated request. */
    record Request(String userId, String requestId) {}

    /** The latest event of the pool that this JVM knows of. */
    private record Seen(long epoch, long sequence) {
        static final Seen NOTHING = new Seen(0, 0);

        Seen latest(Seen other) {
            boolean later = other.epoch > epoch || (other.epoch == epoch && other.sequence > sequence);
            return later ? other : this;
        }
    }

    CompletionStage<IssueResult> issue(Request request) {
        if (shortcut.answers(request.userId())) {
            return CompletableFuture.completedStage(SOLD_OUT);
        }
        return combiner.submit(request);
    }

    private CompletionStage<List<IssueResult>> send(List<Request> batch) {
        SoldOutShortcut.Mark mark = shortcut.mark();
        Seen known = seen();
        byte[][] args = new byte[2 + 2 * batch.size()][];
        args[0] = Text.bytes(known.epoch());
        args[1] = Text.bytes(known.sequence());
        for (int i = 0; i < batch.size(); i++) {
            args[2 + i] = Text.bytes(batch.get(i).userId());
            args[2 + batch.size() + i] = Text.bytes(batch.get(i).requestId());
        }
        return engine.scripts()
                .run(ISSUE, keys, args)
                .thenApply(reply -> decode(Replies.of(ISSUE, reply), batch.size(), mark));
    }

    private Seen seen() {
        return Objects.requireNonNullElse(seen.get(), Seen.NOTHING);
    }

    private List<IssueResult> decode(Replies reply, int size, SoldOutShortcut.Mark mark) {
        return switch (reply.status()) {
            case 0 -> decided(reply, mark);
            case 1 -> Collections.nCopies(size, new IssueResult.UnknownPool());
            case 2 -> Collections.nCopies(size, new IssueResult.Rebuilding(REBUILDING_RETRY));
            case 3 ->
                throw new CorruptStateException(
                        "pool " + Names.echo(name) + " went back in time: Redis answers"
                                + " epoch " + reply.number(1) + ", sequence " + reply.number(2)
                                + " but had acknowledged " + seen()
                                + "; nothing was changed, rebuild the pool from its records",
                        null);
            case 4 ->
                throw new CorruptStateException(
                        "pool " + Names.echo(name)
                                + ": its state in Redis is not made of whole numbers; nothing was changed",
                        null);
            default -> throw reply.unexpected();
        };
    }

    private List<IssueResult> decided(Replies reply, SoldOutShortcut.Mark mark) {
        long left = reply.number(1);
        long last = reply.number(2);
        seen.accumulateAndGet(new Seen(reply.number(3), last), Seen::latest);
        byte[] codes = reply.bytes(6);
        List<IssueResult> results = new ArrayList<>(codes.length);
        int next = FIRST_SEQUENCE;
        boolean soldOut = false;
        for (byte code : codes) {
            switch (code) {
                case '0' -> {
                    long sequence = reply.number(next++);
                    results.add(new IssueResult.Issued(sequence, left + last - sequence));
                }
                case '1' -> results.add(new IssueResult.Replayed(reply.number(next++)));
                case '2' -> results.add(new IssueResult.AlreadyIssued(reply.number(next++)));
                case '3' -> {
                    soldOut = true;
                    results.add(SOLD_OUT);
                }
                case '4' -> results.add(new IssueResult.NotOpen(opensAt(reply.number(5))));
                case '5' -> results.add(new IssueResult.Closed());
                default -> throw reply.unexpected();
            }
        }
        if (soldOut) {
            shortcut.soldOut(mark, reply.number(4));
        }
        return results;
    }

    private static Instant opensAt(long micros) {
        return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000);
    }
}
