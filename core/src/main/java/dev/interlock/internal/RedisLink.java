// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The connections of one Interlock to its Redis, standalone or cluster. Thread-safe. */
interface RedisLink extends AutoCloseable {
    /** Whether the servers form a cluster. */
    boolean cluster();

    /** Writes a command; a cluster routes it by its first key. Its completion is that of the command. */
    void dispatch(RedisCall call);

    /** A name of the master that serves a slot, the same for all its slots. */
    String nodeOf(int slot);

    /** The connection to the master of a slot, for commands about that node. */
    CompletionStage<StatefulRedisConnection<byte[], byte[]>> master(int slot);

    /** The connections to all masters, those included that serve no slot yet. */
    List<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> masters();

    /**
     * Opens a connection of its own to the master of a slot, for pushes and for commands that block or that change the state
     * of a connection. The caller closes it.
     */
    CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> open(int slot);

    /** Calls back after every connection to a node, each reconnect and each change of the masters, on an I/O thread. */
    void onConnected(Runnable callback);

    /** Closes all connections and ends their threads; calls in flight fail. */
    @Override
    void close();
}
