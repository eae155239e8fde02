// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import dev.interlock.CorruptStateException;
import dev.interlock.Operation;
import dev.interlock.RequestConflictException;
import dev.interlock.internal.Bounds;
import dev.interlock.internal.Combiner;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** Every operation of a counter, written once; the other views wait for it or wrap it. */
final class StockCalls implements StockCounter.Async {
    static final int MEMORY_HOURS = 24;
    static final byte[] MEMORY_MILLIS =
            Text.bytes(Duration.ofHours(MEMORY_HOURS).toMillis());
    static final LuaScript GIVE_BACK = LuaScript.own(StockCalls.class, "give_back");

    private static final String PRIMITIVE = "stock";
    private static final int LANES = 2;
    private static final int MAX_BATCH = 256;
    private static final LuaScript TAKE = LuaScript.own(StockCalls.class, "take");
    private static final LuaScript ADD = LuaScript.own(StockCalls.class, "add");
    private static final LuaScript SET = LuaScript.own(StockCalls.class, "set");
    private static final LuaScript AVAILABLE = LuaScript.own(StockCalls.class, "available");

    private final Engine engine;
    private final String sku;
    private final byte[] counter;
    private final Combiner<Take, Optional<TakeResult>> takes;

    StockCalls(Engine engine, String sku) {
        this.engine = engine;
        this.sku = sku;
        this.counter = engine.keys().of(PRIMITIVE, sku);
        this.takes = new Combiner<>(LANES, MAX_BATCH, engine.settings().maxPending(), this::send);
        engine.scripts().prepare(TAKE, ADD, SET, AVAILABLE, GIVE_BACK);
    }

    /** One validated request. */
    record Take(long quantity, String requestId) {
        Take {
            Bounds.quantity(quantity);
            Names.requestId(requestId);
        }
    }

    static long total(long quantity) {
        return Bounds.range("quantity", quantity, 0, Bounds.MAX_TOTAL);
    }

    @Override
    public CompletionStage<Boolean> initialize(long quantity) {
        return engine.scripts()
                .run(
                        SET,
                        reply -> reply.status() == 0,
                        only(counter),
                        Text.bytes(total(quantity)),
                        Text.bytes("absent"));
    }

    @Override
    public CompletionStage<Void> set(long quantity) {
        return engine.scripts()
                .run(SET, reply -> null, only(counter), Text.bytes(total(quantity)), Text.bytes("always"));
    }

    @Override
    public CompletionStage<AddResult> add(long quantity, String requestId) {
        return add(new Take(quantity, requestId));
    }

    CompletionStage<AddResult> add(Take request) {
        return engine.scripts()
                .run(
                        ADD,
                        reply -> added(reply, request),
                        new byte[][] {counter, record(request.requestId())},
                        MEMORY_MILLIS,
                        Text.bytes(request.quantity()),
                        Text.bytes(Bounds.MAX_TOTAL));
    }

    private AddResult added(Replies reply, Take request) {
        return switch (reply.status()) {
            case 0 -> new AddResult.Added(reply.number(1));
            case 1 -> new AddResult.TooMany(reply.number(1));
            case 2 -> new AddResult.Unknown();
            case 3 -> throw conflict(request.requestId());
            case 4 -> throw corrupt(sku);
            default -> throw reply.unexpected();
        };
    }

    @Override
    public CompletionStage<TakeResult> take(long quantity, String requestId) {
        return take(new Take(quantity, requestId));
    }

    CompletionStage<TakeResult> take(Take request) {
        CompletionStage<TakeResult> taken =
                takes.submit(request).thenApply(result -> result.orElseThrow(() -> conflict(request.requestId())));
        return engine.telling().end(Operation.STOCK_TAKE, taken);
    }

    private CompletionStage<List<Optional<TakeResult>>> send(List<Take> batch) {
        byte[][] keys = new byte[1 + batch.size()][];
        byte[][] args = new byte[1 + batch.size()][];
        keys[0] = counter;
        args[0] = MEMORY_MILLIS;
        for (int i = 0; i < batch.size(); i++) {
            keys[1 + i] = record(batch.get(i).requestId());
            args[1 + i] = Text.bytes(batch.get(i).quantity());
        }
        return engine.scripts().run(TAKE, this::taken, keys, args);
    }

    /** One answer a request; empty where the request id was used for something else. */
    private List<Optional<TakeResult>> taken(Replies reply) {
        if (reply.status() != 0) {
            throw corrupt(sku);
        }
        List<Optional<TakeResult>> results = new ArrayList<>(reply.size() / 2);
        for (int i = 1; i < reply.size(); i += 2) {
            results.add(taken(reply, (int) reply.number(i), reply.number(i + 1)));
        }
        return results;
    }

    private static Optional<TakeResult> taken(Replies reply, int code, long number) {
        return switch (code) {
            case 0 -> Optional.of(new TakeResult.Taken(number));
            case 1 -> Optional.of(new TakeResult.Insufficient(number));
            case 2 -> Optional.of(new TakeResult.Unknown());
            case 3 -> Optional.empty();
            default -> throw reply.unexpected();
        };
    }

    @Override
    public CompletionStage<GiveBackResult> giveBack(String requestId) {
        byte[] record = record(Names.requestId(requestId));
        return engine.scripts().run(GIVE_BACK, reply -> givenBack(reply, requestId), new byte[][] {record, counter});
    }

    static GiveBackResult givenBack(Replies reply, String requestId) {
        return switch (reply.status()) {
            case 0 -> new GiveBackResult.GivenBack();
            case 1 -> new GiveBackResult.AlreadyGivenBack();
            case 2 -> new GiveBackResult.Unknown();
            case 3 -> throw conflict(requestId);
            default -> throw reply.unexpected();
        };
    }

    @Override
    public CompletionStage<OptionalLong> available() {
        return engine.scripts().run(AVAILABLE, reply -> available(reply, sku), only(counter));
    }

    static OptionalLong available(Replies reply, String sku) {
        return switch (reply.status()) {
            case 0 -> OptionalLong.of(reply.number(1));
            case 1 -> OptionalLong.empty();
            case 2 -> throw corrupt(sku);
            default -> throw reply.unexpected();
        };
    }

    private byte[] record(String requestId) {
        return engine.keys().item(PRIMITIVE, sku, "request", requestId);
    }

    private static byte[][] only(byte[] key) {
        return new byte[][] {key};
    }

    static RequestConflictException conflict(String requestId) {
        return new RequestConflictException(
                "request id " + Names.echo(requestId)
                        + " was used before for something else, or was given back; nothing was changed: give a new request a new id");
    }

    static CorruptStateException corrupt(String sku) {
        return new CorruptStateException(
                "the counter of " + Names.echo(sku)
                        + " is not a plain whole number below 10^15; nothing was changed: see which other program writes to it",
                null);
    }
}
