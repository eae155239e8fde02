// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.NotExecutedException;
import dev.interlock.Operation;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.internal.Await;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Every operation of a limiter, written once; the other views wait for it or wrap it. */
final class LimiterCalls implements RateLimiter.Async {
    private final Engine engine;
    private final LimiterContext context;
    /** By slot; one entry on a standalone server. In a cluster those that are idle are dropped as new ones come. */
    private final ConcurrentMap<Integer, TakeLanes> lanes = new ConcurrentHashMap<>();

    private final AtomicLong sweptNanos;

    LimiterCalls(Engine engine, LimiterContext context) {
        this.engine = engine;
        this.context = context;
        this.sweptNanos = new AtomicLong(context.denials().now());
        LimitScripts scripts = context.scripts();
        engine.scripts().prepare(scripts.take(), scripts.peek(), scripts.refund(), scripts.reset());
    }

    static LimiterCalls create(Engine engine, LimiterSpec spec, DenialCache denials, @Nullable LongSupplier micros) {
        Outage outage = new Outage(engine, spec);
        return new LimiterCalls(engine, new LimiterContext(spec, LimitScripts.of(spec.specs), denials, outage, micros));
    }

    @Override
    public CompletionStage<Decision> tryAcquire(String key) {
        return tryAcquire(key, 1);
    }

    @Override
    public CompletionStage<Decision> tryAcquire(String key, long weight) {
        Request.check(key, weight);
        return take(new Request(key, weight, 0, context.denials().now()));
    }

    @Override
    public CompletionStage<Decision> acquire(String key, Duration maxWait) {
        Request.check(key, 1);
        long patience = Request.patience(maxWait);
        return new Waiting(
                engine.timer(),
                take(new Request(key, 1, patience, context.denials().now())),
                this::refund);
    }

    private CompletableFuture<Decision> take(Request request) {
        Decision known = context.denials().find(context.limiter(), request);
        CompletableFuture<Decision> decision =
                known == null ? lanesOf(request.key()).submit(request) : CompletableFuture.completedFuture(known);
        return engine.telling().end(Operation.LIMITER_DECIDE, decision, Decision::outcome);
    }

    private TakeLanes lanesOf(String user) {
        int slot = engine.slotOf(() -> context.limiter().key(user, ""));
        TakeLanes known = lanes.get(slot);
        if (known != null) {
            return known;
        }
        dropIdle();
        return lanes.computeIfAbsent(slot, ignored -> newLanes(user));
    }

    /** At most once in the time after which lanes are idle, so that many new slots do not each look at all others. */
    private void dropIdle() {
        long now = context.denials().now();
        long swept = sweptNanos.get();
        if (now - swept > TakeLanes.IDLE_NANOS && sweptNanos.compareAndSet(swept, now)) {
            lanes.values().removeIf(each -> each.leftIdle(now));
        }
    }

    /** For how many slots this JVM keeps lanes. */
    int slots() {
        return lanes.size();
    }

    private TakeLanes newLanes(String user) {
        return new TakeLanes(engine, context, context.outage().new Node(), user);
    }

    @Override
    public CompletionStage<Decision> peek(String key, long weight) {
        Request.check(key, weight);
        Request request = new Request(key, weight, 0, context.denials().now());
        Batch batch = new Batch(context.limiter(), List.of(request));
        byte[][] states = context.limiter().states(key);
        return run(context.scripts().peek(), states, context.peekArgs(weight)).handle((reply, error) -> {
            if (error == null) {
                return TakeLanes.check(context.limiter(), batch.judge(new Answer(reply.bytes(1))));
            }
            return byPolicy(request, error);
        });
    }

    LimiterState state() {
        LimiterSpec limiter = context.limiter();
        return new LimiterState(
                limiter.name, limiter.limits, limiter.options, context.outage().isAway());
    }

    private Decision byPolicy(Request request, Throwable error) {
        Throwable cause = Await.cause(error);
        if (cause instanceof NotExecutedException || cause instanceof OutcomeUnknownException) {
            return context.outage().decide(request);
        }
        throw new CompletionException(cause);
    }

    @Override
    public CompletionStage<Boolean> refund(Decision decision) {
        checkRefund(decision);
        Receipt receipt = decision.receipt();
        if (receipt == null) {
            return CompletableFuture.completedStage(false);
        }
        byte[][] states = context.limiter().states(receipt.key());
        byte[][] keys = new byte[1 + states.length][];
        keys[0] = context.limiter().key(receipt.key(), "refund:" + receipt.id());
        System.arraycopy(states, 0, keys, 1, states.length);
        List<byte[]> args = new ArrayList<>(List.of(
                Text.token(),
                Text.bytes(context.limiter().refillMicros / 1000 + 1),
                context.time(),
                Text.bytes(receipt.atMicros()),
                Text.bytes(receipt.units())));
        args.addAll(Arrays.asList(context.limiter().args));
        return run(context.scripts().refund(), keys, args.toArray(byte[][]::new))
                .thenApply(reply -> reply.status() == 0)
                .whenComplete((done, error) -> context.denials().drop(receipt.key()));
    }

    void checkRefund(Decision decision) {
        Receipt receipt = decision.receipt();
        if (receipt != null && !receipt.call().limiter().equals(context.limiter().name)) {
            throw new IllegalArgumentException("decision must be one of limiter " + Names.echo(context.limiter().name)
                    + " but is of " + Names.echo(receipt.call().limiter()));
        }
    }

    @Override
    public CompletionStage<Void> reset(String key) {
        Request.check(key, 1);
        return run(context.scripts().reset(), context.limiter().states(key))
                .<Void>thenApply(reply -> null)
                .whenComplete((done, error) -> context.denials().drop(key));
    }

    private CompletableFuture<Replies> run(LuaScript script, byte[][] keys, byte[]... args) {
        long deadline = context.limiter().options.deadline().toMillis();
        return engine.scripts().run(script, deadline, keys, args).thenApply(reply -> Replies.of(script, reply));
    }
}
