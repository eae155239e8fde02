// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One command that knows whether it was ever handed to a socket. That, and not an error text, tells "surely not done" from
 * "unknown": a command that was never encoded cannot have reached Redis.
 */
final class RedisCall extends AsyncCommand<byte[], byte[], @Nullable Object> {
    private volatile boolean sent;

    RedisCall(ProtocolKeyword type, CommandArgs<byte[], byte[]> args) {
        super(new Command<>(type, new ReplyOutput(), args));
    }

    /** A command that runs a script: its name, the number of keys, the keys, the arguments. */
    static RedisCall of(ProtocolKeyword type, String script, byte[][] keys, byte[][] values) {
        CommandArgs<byte[], byte[]> args = args().add(script).add(keys.length);
        args.addKeys(keys);
        for (byte[] value : values) {
            args.add(value);
        }
        return new RedisCall(type, args);
    }

    static CommandArgs<byte[], byte[]> args() {
        return new CommandArgs<>(ByteArrayCodec.INSTANCE);
    }

    @Override
    public void encode(ByteBuf buf) {
        sent = true;
        super.encode(buf);
    }

    /** Whether the command may have reached Redis. */
    boolean wasSent() {
        return sent;
    }
}
