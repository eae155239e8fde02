// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads any reply as it comes: {@code byte[]}, {@link Long}, {@link Double}, {@link Boolean}, null, and lists of these. */
final class ReplyOutput extends CommandOutput<byte[], byte[], @Nullable Object> {
    private final Deque<Frame> open = new ArrayDeque<>(2);

    ReplyOutput() {
        super(ByteArrayCodec.INSTANCE, null);
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        accept(bytes == null ? null : copy(bytes));
    }

    @Override
    public void setSingle(ByteBuffer bytes) {
        set(bytes);
    }

    @Override
    public void setBigNumber(ByteBuffer bytes) {
        set(bytes);
    }

    @Override
    public void set(long integer) {
        accept(integer);
    }

    @Override
    public void set(double number) {
        accept(number);
    }

    @Override
    public void set(boolean value) {
        accept(value);
    }

    @Override
    public void multi(int count) {
        if (count < 0) {
            accept(null);
            return;
        }
        Frame frame = new Frame(count);
        accept(frame.values);
        open.push(frame);
        closeFull();
    }

    private void accept(@Nullable Object value) {
        Frame frame = open.peek();
        if (frame == null) {
            output = value;
            return;
        }
        frame.values.add(value);
        closeFull();
    }

    /** A list ends with its last value; that may be the last value of the list around it too. */
    private void closeFull() {
        while (!open.isEmpty() && open.peek().values.size() == open.peek().size) {
            open.pop();
        }
    }

    private static byte[] copy(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return copy;
    }

    private static final class Frame {
        final List<@Nullable Object> values;
        final int size;

        Frame(int size) {
            this.size = size;
            this.values = new ArrayList<>(size);
        }
    }
}
