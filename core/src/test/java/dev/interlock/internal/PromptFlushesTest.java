// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PromptFlushesTest {
    private final List<String> log = new ArrayList<>();

    /** Counts what gets to the socket, and writes a call for each reply that was read. */
    private final EmbeddedChannel channel = new EmbeddedChannel(
            new ChannelOutboundHandlerAdapter() {
                @Override
                public void flush(ChannelHandlerContext context) throws Exception {
                    log.add("flush");
                    super.flush(context);
                }
            },
            new PromptFlushes(256),
            new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object message) {
                    log.add("reply");
                    context.writeAndFlush(Unpooled.EMPTY_BUFFER);
                    log.add("told");
                }
            });

    @Test
    void whatTheFirstReplyBringsAboutIsSentBeforeItsCallersAreToldAndTheRestTogether() {
        log.clear();
        channel.writeInbound(1, 2, 3);
        assertThat(log).containsExactly("reply", "flush", "told", "reply", "told", "reply", "told", "flush");
    }

    @Test
    void theNextReadBeginsAnew() {
        channel.writeInbound(1);
        log.clear();
        channel.writeInbound(2);
        assertThat(log).startsWith("reply", "flush", "told");
    }

    @Test
    void whatIsSentOutsideOfAReadIsSent() {
        log.clear();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
        channel.runPendingTasks();
        assertThat(log).contains("flush");
    }
}
