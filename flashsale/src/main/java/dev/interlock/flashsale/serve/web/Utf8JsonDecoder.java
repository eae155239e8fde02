// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.web;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.codec.DecodingException;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.codec.json.JacksonJsonDecoder;
import org.springframework.util.MimeType;
import tools.jackson.databind.json.JsonMapper;

/** JSON in UTF-8 without a mark, as RFC 8259 demands; Jackson by itself guesses other encodings. */
final class Utf8JsonDecoder extends JacksonJsonDecoder {
    private static final int FIRST_BYTES = 4;

    Utf8JsonDecoder(JsonMapper json) {
        super(json);
    }

    @Override
    public @Nullable Object decode(
            DataBuffer body, ResolvableType type, @Nullable MimeType mime, @Nullable Map<String, Object> hints) {
        for (int i = 0; i < Math.min(FIRST_BYTES, body.readableByteCount()); i++) {
            byte b = body.getByte(body.readPosition() + i);
            // A NUL is half a character of another encoding; no JSON begins with a byte beyond ASCII, but a mark does.
            if (b == 0 || (i == 0 && b < 0)) {
                throw new DecodingException("JSON must be in UTF-8, without a byte order mark");
            }
        }
        return super.decode(body, type, mime, hints);
    }
}
