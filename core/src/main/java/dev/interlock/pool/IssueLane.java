// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Combiner;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The way of a pool's issue requests to Redis: combined into script calls, and answered here once the pool is sold out. */
final class IssueLane {
    /** Found by measurement, see {@code docs/decisions.md}. */
    static final int LANES = 2;

    static final int MAX_BATCH = 256;

    private static final LuaScript ISSUE = LuaScript.own(IssueLane.class, "issue");
    private static final IssueResult SOLD_OUT = new IssueResult.SoldOut();
    static final Duration REBUILDING_RETRY = Duration.ofSeconds(1);
    private static final int FIRST_SEQUENCE = 7;

    private final Engine engine;
    private final byte[][] keys;
    private final Combiner<Request, IssueResult> combiner;
    private final SoldOutShortcut shortcut;
    private final Seen seen;
    private final Sweeper sweeper;

    IssueLane(Engine engine, PoolKeys keys, Seen seen, Sweeper sweeper) {
        this.engine = engine;
        this.seen = seen;
        this.sweeper = sweeper;
        this.keys = new byte[][] {keys.meta, keys.claims, keys.outbox, keys.deadlines};
        this.combiner = new Combiner<>(LANES, MAX_BATCH, engine.settings().maxPending(), this::send);
        this.shortcut = new SoldOutShortcut(engine, keys);
        engine.scripts().prepare(ISSUE);
    }

    /** One validated request. */
    record Request(String userId, String requestId) {}

    CompletionStage<IssueResult> issue(Request request) {
        if (shortcut.answers(request.userId())) {
            return CompletableFuture.completedStage(SOLD_OUT);
        }
        return combiner.submit(request);
    }

    /** Without the short-cut, for one who knows that units have come. */
    CompletionStage<IssueResult> ask(Request request) {
        return combiner.submit(request);
    }

    private CompletionStage<List<IssueResult>> send(List<Request> batch) {
        SoldOutShortcut.Mark mark = shortcut.mark();
        Seen.Event known = seen.latest();
        byte[][] args = new byte[2 + 2 * batch.size()][];
        args[0] = Text.bytes(known.epoch());
        args[1] = Text.bytes(known.sequence());
        for (int i = 0; i < batch.size(); i++) {
            args[2 + i] = Text.bytes(batch.get(i).userId());
            args[2 + batch.size() + i] = Text.bytes(batch.get(i).requestId());
        }
        return sweeper.run(() -> engine.scripts().run(ISSUE, reply -> reply, keys, args))
                .thenApply(reply -> decode(reply, batch.size(), mark));
    }

    private List<IssueResult> decode(Replies reply, int size, SoldOutShortcut.Mark mark) {
        return switch (reply.status()) {
            case 0 -> decided(reply, mark);
            case 1 -> Collections.nCopies(size, new IssueResult.UnknownPool());
            case 2 -> Collections.nCopies(size, new IssueResult.Rebuilding(REBUILDING_RETRY));
            case 3 -> throw seen.wentBack(reply);
            case 4 -> throw seen.unreadable();
            default -> throw reply.unexpected();
        };
    }

    private List<IssueResult> decided(Replies reply, SoldOutShortcut.Mark mark) {
        long left = reply.number(1);
        long last = reply.number(2);
        seen.see(reply.number(3), last);
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
                case '4' -> results.add(new IssueResult.NotOpen(Times.instant(reply.number(5))));
                case '5' -> results.add(new IssueResult.Closed());
                default -> throw reply.unexpected();
            }
        }
        if (soldOut) {
            shortcut.soldOut(mark, reply.number(4), reply.number(5));
        } else {
            shortcut.notSoldOut(reply.number(4), left);
        }
        return results;
    }
}
