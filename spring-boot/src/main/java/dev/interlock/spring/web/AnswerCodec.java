// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import dev.interlock.Codec;
import dev.interlock.spring.web.Answer.Header;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Status, headers and body as bytes, after the number of this form. */
final class AnswerCodec implements Codec<Answer> {
    private static final int FORM = 1;

    @Override
    public byte[] encode(Answer answer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(answer.body().length + 512);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORM);
            out.writeShort(answer.status());
            out.writeShort(answer.headers().size());
            for (Header header : answer.headers()) {
                out.writeUTF(header.name());
                out.writeUTF(header.value());
            }
            out.write(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @Override
    public Answer decode(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readByte() != FORM) {
                throw new IllegalArgumentException("the stored response has another form");
            }
            int status = in.readUnsignedShort();
            int count = in.readUnsignedShort();
            List<Header> headers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                headers.add(new Header(in.readUTF(), in.readUTF()));
            }
            return new Answer(status, headers, in.readAllBytes());
        } catch (IOException e) {
            throw new IllegalArgumentException("the stored response is cut off", e);
        }
    }
}
