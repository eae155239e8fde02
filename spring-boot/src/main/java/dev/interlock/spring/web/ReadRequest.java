// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A request whose body was read before. */
final class ReadRequest extends HttpServletRequestWrapper {
    private final BodyStream body;

    ReadRequest(HttpServletRequest request, byte[] body) {
        super(request);
        this.body = new BodyStream(new ByteArrayInputStream(body));
    }

    @Override
    public ServletInputStream getInputStream() {
        return body;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        String encoding = getCharacterEncoding();
        Charset charset = encoding == null ? StandardCharsets.ISO_8859_1 : Charset.forName(encoding);
        return new BufferedReader(new InputStreamReader(body, charset));
    }

    /** All of it is there at once. */
    private static final class BodyStream extends ServletInputStream {
        private final ByteArrayInputStream bytes;

        BodyStream(ByteArrayInputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(@Nullable ReadListener listener) {
            if (listener == null) {
                throw new NullPointerException("listener");
            }
            try {
                listener.onDataAvailable();
                listener.onAllDataRead();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return bytes.read(target, offset, length);
        }
    }
}
