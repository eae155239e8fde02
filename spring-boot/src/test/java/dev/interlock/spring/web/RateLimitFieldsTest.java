// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spring.web.Answer.Header;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitFieldsTest {
    /** R15. */
    @ParameterizedTest
    @CsvSource({
        "PT0S, 1",
        "PT0.000001S, 1",
        "PT0.3S, 1",
        "PT1S, 1",
        "PT1.000001S, 2",
        "PT59.999S, 60",
        "P366D, 31622400"
    })
    void roundsUpToWholeSecondsAndNeverToZero(Duration time, long seconds) {
        assertThat(RateLimitFields.seconds(time)).isEqualTo(seconds);
    }

    @Test
    void keepsAResponseByteForByte() {
        AnswerCodec codec = new AnswerCodec();
        Answer answer = new Answer(
                201, List.of(new Header("Location", "/o/1"), new Header("X-Ü", "")), new byte[] {0, -1, 'a'});
        Answer read = codec.decode(codec.encode(answer));
        assertThat(read.status()).isEqualTo(201);
        assertThat(read.headers()).isEqualTo(answer.headers());
        assertThat(read.body()).isEqualTo(answer.body());
        assertThat(new String(Answer.problem(409, "Title").body(), StandardCharsets.UTF_8))
                .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Title\",\"status\":409}");
    }
}
