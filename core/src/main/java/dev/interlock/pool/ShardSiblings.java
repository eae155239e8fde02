// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Await;
import dev.interlock.internal.Bounds;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Text;
import dev.interlock.pool.Restoration.Point;
import java.util.Optional;

/** The other shards of the pool of one shard. */
record ShardSiblings(Engine engine, String name, Shard shard) implements Siblings {
    private static final LuaScript REFUSE = LuaScript.own(ShardSiblings.class, "refuse");

    @Override
    public int self() {
        return shard.index();
    }

    @Override
    public int count() {
        return shard.count();
    }

    @Override
    public Optional<Point> refuse(int sibling, Point before) {
        Bounds.range("sibling", sibling, 0, shard.count() - 1L);
        if (sibling == shard.index()) {
            throw new IllegalArgumentException("sibling must be another shard than " + sibling);
        }
        PoolKeys keys = new PoolKeys(engine.keys(), name, new Shard(sibling, shard.count()));
        return Await.get(
                "siblings.refuse",
                () -> engine.scripts()
                        .run(
                                REFUSE,
                                reply -> reply.status() == 0
                                        ? Optional.of(new Point(reply.number(1), reply.number(2)))
                                        : Optional.<Point>empty(),
                                new byte[][] {keys.meta, keys.incoming},
                                Text.bytes(shard.index()),
                                Text.bytes(before.epoch()),
                                Text.bytes(before.sequence())));
    }
}
