// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import dev.interlock.Operation;
import dev.interlock.internal.Bounds;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Every operation of a group, written once; the other views wait for it or wrap it. */
final class StockGroupCalls implements StockGroup.Async {
    private static final String PRIMITIVE = "stock-group";
    private static final int MAX_LINES = 100;
    private static final LuaScript ORDER = LuaScript.own(StockGroupCalls.class, "order");
    private static final LuaScript RECORD = LuaScript.own(StockGroupCalls.class, "record");
    private static final LuaScript SET = LuaScript.own(StockGroupCalls.class, "set");
    private static final LuaScript AVAILABLE = LuaScript.own(StockGroupCalls.class, "available");

    private final Engine engine;
    private final String group;

    StockGroupCalls(Engine engine, String group) {
        this.engine = engine;
        this.group = group;
        engine.scripts().prepare(ORDER, RECORD, SET, AVAILABLE, StockCalls.GIVE_BACK);
    }

    /** One validated order, its lines in alphabetical order. */
    record Order(TreeMap<String, Long> lines, String requestId) {
        static Order of(Map<String, Long> order, String requestId) {
            Bounds.range("articles of an order", order.size(), 1, MAX_LINES);
            TreeMap<String, Long> lines = new TreeMap<>();
            order.forEach((sku, quantity) -> lines.put(Names.name("sku", sku), Bounds.quantity(quantity)));
            return new Order(lines, Names.requestId(requestId));
        }

        String sku(long line) {
            return List.copyOf(lines.keySet()).get((int) line - 1);
        }
    }

    @Override
    public CompletionStage<Boolean> initialize(String sku, long quantity) {
        byte[] total = Text.bytes(StockCalls.total(quantity));
        return engine.scripts()
                .run(SET, reply -> reply.status() == 0, new byte[][] {counter(sku)}, total, Text.bytes("absent"));
    }

    @Override
    public CompletionStage<OrderResult> take(Map<String, Long> order, String requestId) {
        return take(Order.of(order, requestId));
    }

    CompletionStage<OrderResult> take(Order order) {
        List<byte[]> args = new ArrayList<>();
        args.add(StockCalls.MEMORY_MILLIS);
        args.add(Text.bytes(order.lines().size()));
        order.lines().forEach((sku, quantity) -> {
            args.add(Text.bytes(quantity));
            args.add(Text.bytes(sku));
        });
        byte[][] keys = keys(order.requestId(), order.lines().keySet());
        CompletionStage<OrderResult> taken =
                engine.scripts().run(ORDER, reply -> taken(reply, order), keys, args.toArray(byte[][]::new));
        return engine.telling().end(Operation.STOCK_ORDER, taken);
    }

    private static OrderResult taken(Replies reply, Order order) {
        return switch (reply.status()) {
            case 0 -> {
                Map<String, Long> left = new LinkedHashMap<>();
                for (int line = 1; line < reply.size(); line++) {
                    left.put(order.sku(line), reply.number(line));
                }
                yield new OrderResult.Taken(left);
            }
            case 1 -> new OrderResult.Insufficient(order.sku(reply.number(1)), reply.number(2));
            case 2 -> new OrderResult.Unknown(order.sku(reply.number(1)));
            case 3 -> throw StockCalls.conflict(order.requestId());
            case 4 -> throw StockCalls.corrupt(order.sku(reply.number(1)));
            default -> throw reply.unexpected();
        };
    }

    /** Reads which articles the request took, then gives them back; the record cannot change its lines in between. */
    @Override
    public CompletionStage<GiveBackResult> giveBack(String requestId) {
        Names.requestId(requestId);
        return engine.scripts()
                .run(RECORD, StockGroupCalls::skus, new byte[][] {record(requestId)})
                .thenCompose(skus -> {
                    if (skus.isEmpty()) {
                        return CompletableFuture.completedFuture(new GiveBackResult.Unknown());
                    }
                    Function<Replies, GiveBackResult> decode = reply -> StockCalls.givenBack(reply, requestId);
                    return engine.scripts().run(StockCalls.GIVE_BACK, decode, keys(requestId, skus));
                });
    }

    /** The third column of every line of a record. */
    private static List<String> skus(Replies reply) {
        return reply.text(1)
                .lines()
                .skip(1)
                .map(line -> line.substring(line.lastIndexOf('\t') + 1))
                .toList();
    }

    @Override
    public CompletionStage<OptionalLong> available(String sku) {
        return engine.scripts().run(AVAILABLE, reply -> StockCalls.available(reply, sku), new byte[][] {counter(sku)});
    }

    private byte[] counter(String sku) {
        return engine.keys().item(PRIMITIVE, group, "sku", Names.name("sku", sku));
    }

    private byte[] record(String requestId) {
        return engine.keys().item(PRIMITIVE, group, "request", requestId);
    }

    private byte[][] keys(String requestId, Iterable<String> skus) {
        List<byte[]> keys = new ArrayList<>();
        keys.add(record(requestId));
        skus.forEach(sku -> keys.add(counter(sku)));
        return keys.toArray(byte[][]::new);
    }
}
