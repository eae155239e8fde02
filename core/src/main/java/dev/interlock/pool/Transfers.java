// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What one shard does when units move between shards. */
final class Transfers {
    private static final LuaScript SURVEY = LuaScript.own(Transfers.class, "survey");
    private static final LuaScript OUT = LuaScript.own(Transfers.class, "move_out");
    private static final LuaScript IN = LuaScript.own(Transfers.class, "move_in");
    private static final LuaScript SETTLE = LuaScript.own(Transfers.class, "settle");
    private static final int FIRST_FIELD = 9;

    private final Engine engine;
    private final PoolKeys keys;
    private final Seen seen;

    Transfers(Engine engine, PoolKeys keys, Seen seen) {
        this.engine = engine;
        this.keys = keys;
        this.seen = seen;
        engine.scripts().prepare(SURVEY, OUT, IN, SETTLE);
    }

    /** Units under way, named by the event that sent them. */
    record Transfer(long epoch, long sequence, long quantity) {
        static Transfer parse(String text) {
            String[] parts = text.split(" ", 3);
            long quantity = parts.length > 2 ? Long.parseLong(parts[2]) : 0;
            return new Transfer(Long.parseLong(parts[0]), Long.parseLong(parts[1]), quantity);
        }

        boolean isAfter(Transfer other) {
            return epoch > other.epoch || (epoch == other.epoch && sequence > other.sequence);
        }

        @Override
        public String toString() {
            return epoch + " " + sequence + ' ' + quantity;
        }
    }

    /** A shard at one moment, its open transfers to others and the latest ones that came from them. */
    record Found(PoolState state, boolean due, Map<Integer, Transfer> outgoing, Map<Integer, Transfer> incoming) {}

    CompletionStage<Optional<Found>> survey() {
        byte[][] read = {keys.meta, keys.claims, keys.deadlines, keys.outgoing, keys.incoming};
        return engine.scripts().run(SURVEY, Transfers::found, read);
    }

    private static Optional<Found> found(Replies reply) {
        if (reply.status() != 0) {
            return Optional.empty();
        }
        PoolState state = new PoolState(
                reply.number(1),
                reply.number(2),
                reply.number(3),
                reply.number(4),
                reply.number(5),
                reply.number(6) == 1);
        int incoming = FIRST_FIELD + 2 * (int) reply.number(8);
        return Optional.of(new Found(
                state,
                reply.number(7) == 1,
                transfers(reply, FIRST_FIELD, incoming),
                transfers(reply, incoming, reply.size())));
    }

    private static Map<Integer, Transfer> transfers(Replies reply, int from, int to) {
        Map<Integer, Transfer> transfers = new HashMap<>();
        for (int i = from; i < to; i += 2) {
            transfers.put((int) reply.number(i), Transfer.parse(reply.text(i + 1)));
        }
        return transfers;
    }

    /** Sends units to a shard; empty if there are none to send, or not now. */
    CompletionStage<Optional<Transfer>> send(int to, long need) {
        byte[][] writes = {keys.meta, keys.outbox, keys.log, keys.outgoing};
        return engine.scripts().run(OUT, this::sent, writes, seen.args(Text.bytes(to), Text.bytes(need)));
    }

    private Optional<Transfer> sent(Replies reply) {
        return switch (reply.status()) {
            case 0 -> Optional.of(Transfer.parse(reply.text(1)));
            case 1, 2, 7 -> Optional.empty();
            case 3 -> throw seen.wentBack(reply);
            case 4 -> throw seen.unreadable();
            default -> throw reply.unexpected();
        };
    }

    /** Takes units in; completes with whether they are here, by this call or an earlier one. */
    CompletionStage<Boolean> receive(int from, Transfer transfer) {
        byte[][] writes = {keys.meta, keys.outbox, keys.log, keys.incoming, keys.version};
        return engine.scripts()
                .run(
                        IN,
                        this::received,
                        writes,
                        seen.args(
                                Text.bytes(from),
                                Text.bytes(transfer.epoch()),
                                Text.bytes(transfer.sequence()),
                                Text.bytes(transfer.quantity())));
    }

    private boolean received(Replies reply) {
        return switch (reply.status()) {
            case 0 -> true;
            case 1, 2 -> false;
            case 3 -> throw seen.wentBack(reply);
            case 4 -> throw seen.unreadable();
            default -> throw reply.unexpected();
        };
    }

    /** Forgets a transfer that has arrived. */
    CompletionStage<Boolean> settle(int to, Transfer transfer) {
        return engine.scripts()
                .run(
                        SETTLE,
                        reply -> reply.status() == 0,
                        new byte[][] {keys.outgoing},
                        Text.bytes(to),
                        Text.bytes(transfer.toString()));
    }
}
