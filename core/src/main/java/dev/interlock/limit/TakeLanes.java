// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.CorruptStateException;
import dev.interlock.NotExecutedException;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.internal.Await;
import dev.interlock.internal.Combiner;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * The way of requests to Redis: of all users on a standalone server, of the users of one slot in a cluster.
 *
 * <p>Each lane has one call in flight and numbers its calls. In Redis the lane keeps the number and the answer of its last
 * call that took something. So a call that is sent again after a lost reply gets its first answer, a copy that arrives late
 * does nothing, and what is kept does not grow with the calls: one key a lane, for 10 s and the deadline after its last call.
 */
final class TakeLanes {
    /** Found by measurement. */
    static final int LANES = 2;

    /** A run of equal requests is decided in one step, so it costs Redis the same as one. */
    private static final int MAX_BATCH = 1_024;
    /** Others cost Redis 4 to 5 µs a limit: a call stays below half a millisecond. */
    private static final int MAX_RUNS = 96;

    private static final long MEMORY_MILLIS = 10_000;
    static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(MEMORY_MILLIS);

    private final Engine engine;
    private final LimiterContext context;
    private final LuaScript take;
    private final String firstUser;
    private final Outage.Node node;
    private final Combiner<Request, Decision> combiner;
    private final Queue<Lane> idle = new ConcurrentLinkedQueue<>();
    /** When the last request came; only near enough. */
    private volatile long lastNanos;

    TakeLanes(Engine engine, LimiterContext context, Outage.Node node, String firstUser) {
        this.engine = engine;
        this.context = context;
        this.take = context.scripts().take();
        this.node = node;
        this.firstUser = firstUser;
        this.lastNanos = context.denials().now();
        int capacity = engine.settings().maxPending();
        int maxRuns = MAX_RUNS / context.limiter().limits.size();
        combiner = new Combiner<>(
                new Combiner.Batches<>(LANES, MAX_BATCH, maxRuns, Request::isLike),
                capacity,
                this::send,
                answer -> check(context.limiter(), answer));
    }

    /** One lane; used by one call at a time. */
    private final class Lane {
        final String token = new String(Text.token(), StandardCharsets.ISO_8859_1);
        /** In the slot of the users: it has the hash tag of the first that came. */
        final byte[] key = context.limiter().key(firstUser, "lane:" + token);

        long calls;
    }

    /** Lets these lanes go if nobody asked for {@link #IDLE_NANOS}; a request that comes just now is still served. */
    boolean leftIdle(long nowNanos) {
        return nowNanos - lastNanos > IDLE_NANOS && node.leave();
    }

    CompletableFuture<Decision> submit(Request request) {
        lastNanos = request.startNanos();
        if (!node.isAway()) {
            return combiner.submit(request);
        }
        if (node.probeIsDue()) {
            probe(request);
        }
        return CompletableFuture.completedFuture(context.outage().decide(request));
    }

    private void probe(Request request) {
        LuaScript peek = context.scripts().peek();
        long deadline = context.limiter().options.deadline().toMillis();
        engine.scripts()
                .run(peek, deadline, context.limiter().states(request.key()), context.peekArgs(1))
                .thenAccept(reply -> node.answered());
    }

    private CompletionStage<List<Decision>> send(List<Request> requests) {
        DenialCache.Mark mark = context.denials().mark();
        Lane lane = Objects.requireNonNullElseGet(idle.poll(), Lane::new);
        Receipt.Call call = new Receipt.Call(context.limiter().name, lane.token, ++lane.calls);
        Batch batch = new Batch(context.limiter(), requests);
        byte[][] args = batch.args(
                Text.bytes(call.digits()),
                Text.bytes(MEMORY_MILLIS + context.limiter().options.deadline().toMillis()),
                context.time(),
                Text.bytes(context.limiter().limits.size()));
        return engine.scripts()
                .run(take, millisLeft(requests.get(0)), batch.keys(lane.key), args)
                .handle((reply, error) -> {
                    idle.add(lane);
                    if (error != null) {
                        return failed(requests, error);
                    }
                    node.answered();
                    List<Decision> decisions = batch.decide(answer(Replies.of(take, reply)), call);
                    remember(requests, decisions, mark);
                    return decisions;
                });
    }

    /** The oldest request decides how long the call may take. */
    private long millisLeft(Request oldest) {
        long deadline = context.limiter().options.deadline().toMillis();
        long age = TimeUnit.NANOSECONDS.toMillis(context.denials().now() - oldest.startNanos());
        return Math.max(deadline / 2, deadline - age);
    }

    private static Answer answer(Replies reply) {
        if (reply.status() != 0) {
            throw new OutcomeUnknownException("a later call of the same lane was run before this one", null);
        }
        return new Answer(reply.bytes(1));
    }

    private List<Decision> failed(List<Request> requests, Throwable error) {
        Throwable cause = Await.cause(error);
        if (!(cause instanceof NotExecutedException || cause instanceof OutcomeUnknownException)) {
            throw new CompletionException(cause);
        }
        node.failed();
        combiner.answerWaiting(context.outage()::decide);
        return requests.stream().map(context.outage()::decide).toList();
    }

    private void remember(List<Request> requests, List<Decision> decisions, DenialCache.Mark mark) {
        Request last = null;
        for (int i = 0; i < decisions.size(); i++) {
            Request request = requests.get(i);
            boolean known = last != null && last.key().equals(request.key()) && last.units() == request.units();
            if (!decisions.get(i).allowed() && !known) {
                context.denials().put(context.limiter(), request, decisions.get(i), mark);
                last = request;
            }
        }
    }

    static Decision check(LimiterSpec limiter, Decision decision) {
        if (decision.verdict().remaining() < 0) {
            throw new CorruptStateException(
                    "limiter " + Names.echo(limiter.name) + ": a key of this user holds another type than limits use;"
                            + " nothing was changed: see which other program writes to it",
                    null);
        }
        return decision;
    }
}
