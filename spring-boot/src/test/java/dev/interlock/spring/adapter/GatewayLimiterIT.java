// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.embedded.RedisServer;
import dev.interlock.embedded.RedisTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter.Response;
import org.springframework.cloud.gateway.support.ConfigurationService;

@RedisTest
class GatewayLimiterIT {
    @Test
    void decidesByTheSettingsOfTheRoute(RedisServer server) {
        try (Interlock interlock = Interlock.builder()
                .uri(server.uri())
                .commandTimeout(Duration.ofSeconds(10))
                .build()) {
            InterlockGatewayLimiter limiter =
                    new InterlockGatewayLimiter(interlock, new ConfigurationService(null, () -> null, () -> null));
            InterlockGatewayLimiter.Config config = limiter.newConfig();
            config.setReplenishRate(1);
            config.setBurstCapacity(4);
            config.setRequestedTokens(2);
            limiter.getConfig().put("orders", config);

            Response first = limiter.isAllowed("orders", "user").block();
            assertThat(first.isAllowed()).isTrue();
            assertThat(first.getHeaders())
                    .containsEntry("X-RateLimit-Remaining", "2")
                    .containsEntry("X-RateLimit-Burst-Capacity", "4")
                    .doesNotContainKey("Retry-After");
            assertThat(limiter.isAllowed("orders", "user").block().isAllowed()).isTrue();
            Response third = limiter.isAllowed("orders", "user").block();
            assertThat(third.isAllowed()).isFalse();
            assertThat(third.getHeaders().get("Retry-After")).isIn("1", "2");
            assertThat(limiter.isAllowed("orders", "other").block().isAllowed()).isTrue();
            assertThat(limiter.isAllowed("unset", "user").block().isAllowed()).isTrue();
        }
    }
}
