// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Await;
import dev.interlock.internal.Bounds;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Text;
import dev.interlock.pool.PoolEvent.Claim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Brings one shard of a pool back. */
final class ShardRestoration implements Restoration {
    private static final LuaScript SEAL = LuaScript.own(ShardRestoration.class, "seal");
    private static final LuaScript LOAD = LuaScript.own(ShardRestoration.class, "load");
    private static final LuaScript SWITCH = LuaScript.own(ShardRestoration.class, "switch");
    private static final int MAX_CLAIMS = 5_000;
    /** What an abandoned rebuild has loaded is forgotten after so long. */
    private static final long KEEP_MILLIS = 3_600_000;

    private static final long MAX_SEQUENCE = 100_000_000_000_000L;

    private final Engine engine;
    private final PoolKeys keys;
    private final Seen seen;
    private final Siblings siblings;

    ShardRestoration(Engine engine, PoolKeys keys, Seen seen, Siblings siblings) {
        this.engine = engine;
        this.keys = keys;
        this.seen = seen;
        this.siblings = siblings;
        engine.scripts().prepare(SEAL, LOAD, SWITCH);
    }

    @Override
    public void remind(Point point) {
        if (point.equals(Point.NOTHING)) {
            seen.forget();
        } else {
            seen.see(point.epoch(), point.sequence());
        }
    }

    @Override
    public Point seen() {
        return seen.latest();
    }

    @Override
    public Optional<Point> seen(long epoch) {
        return seen.in(epoch);
    }

    @Override
    public Runnable watch(Runnable restorer) {
        seen.watch(restorer);
        return () -> seen.unwatch(restorer);
    }

    @Override
    public Siblings siblings() {
        return siblings;
    }

    @Override
    public boolean seal(long epoch) {
        byte[] next = Text.bytes(Bounds.range("epoch", epoch, 2, PoolConfig.MAX_EPOCH));
        return run(SEAL, new byte[][] {keys.meta, keys.version}, next, Text.bytes(epoch - 1));
    }

    @Override
    public boolean load(long epoch, List<Claim> claims) {
        Bounds.range("claims", claims.size(), 1, MAX_CLAIMS);
        Map<String, StringBuilder> lines = new LinkedHashMap<>();
        for (Claim claim : claims) {
            lines.computeIfAbsent(claim.userId(), user -> new StringBuilder()).append(EventCodec.line(claim));
        }
        List<byte[]> args = new ArrayList<>(2 + 2 * lines.size());
        args.add(Text.bytes(epoch));
        args.add(Text.bytes(KEEP_MILLIS));
        lines.forEach((user, units) -> {
            args.add(Text.bytes(user));
            args.add(Text.bytes(units.toString()));
        });
        return run(LOAD, new byte[][] {keys.meta, keys.prepared(epoch)}, args.toArray(byte[][]::new));
    }

    @Override
    public boolean open(Opening opening) {
        PoolConfig config = opening.config();
        Bounds.range("sequence", opening.sequence(), 0, MAX_SEQUENCE);
        List<byte[]> args = new ArrayList<>();
        args.add(Text.token());
        for (long number : new long[] {
            config.epoch(),
            opening.sequence(),
            config.total(),
            config.limitPerUser(),
            config.opensMicros(),
            config.closesMicros(),
            opening.users()
        }) {
            args.add(Text.bytes(number));
        }
        opening.arrived().forEach((shard, point) -> {
            args.add(Text.bytes(shard));
            args.add(Text.bytes(point.epoch() + " " + point.sequence()));
        });
        return run(SWITCH, everyKey(config.epoch()), args.toArray(byte[][]::new));
    }

    private byte[][] everyKey(long epoch) {
        return new byte[][] {
            keys.meta,
            keys.claims,
            keys.outbox,
            keys.journal,
            keys.version,
            keys.prepared(epoch),
            keys.holds,
            keys.deadlines,
            keys.log,
            keys.ended,
            keys.outgoing,
            keys.incoming
        };
    }

    private boolean run(LuaScript script, byte[][] keysOfCall, byte[]... args) {
        return Await.get(
                "restoration." + script.name(),
                () -> engine.scripts().run(script, reply -> reply.status() == 0, keysOfCall, args));
    }
}
