// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Lets calls share writes to the socket, but sends the first that a reply brings about at once: it is mostly the next batch
 * of a combiner, and Redis works on it while the callers of the reply are told. What is written after it waits until all
 * that was read is worked off. So two batches whose replies came together go out apart, and stay apart.
 */
final class PromptFlushes extends FlushConsolidationHandler {
    private boolean reading;
    private boolean flushed;

    PromptFlushes(int mostTogether) {
        super(mostTogether, true);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        reading = true;
        super.channelRead(context, message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        reading = false;
        flushed = false;
        super.channelReadComplete(context);
    }

    @Override
    public void flush(ChannelHandlerContext context) throws Exception {
        if (reading && !flushed) {
            flushed = true;
            context.flush();
        } else {
            super.flush(context);
        }
    }
}
