// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisExtensionIT {
    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension(RedisServer.builder().config("maxmemory", "5mb"));

    @Test
    void runsAServerWithTheGivenSettings(RedisServer injected) throws IOException {
        assertThat(injected).isSameAs(REDIS.server());
        assertThat(Resp.ask(injected.port(), "INFO memory")).contains("maxmemory_human:5.00M");
    }

    @Nested
    class InANestedClass {
        @Test
        void isTheSameServer(RedisServer injected) {
            assertThat(injected).isSameAs(REDIS.server());
            assertThat(injected.isAlive()).isTrue();
        }
    }
}
