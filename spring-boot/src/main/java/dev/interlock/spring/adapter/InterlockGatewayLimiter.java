// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.adapter;

import dev.interlock.Interlock;
import dev.interlock.limit.Decision;
import dev.interlock.limit.Limit;
import dev.interlock.limit.RateLimiter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.cloud.gateway.filter.ratelimit.AbstractRateLimiter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import reactor.core.publisher.Mono;

/**
 * Spring Cloud Gateway's limiter on Interlock: a token bucket for each route and key, decided by one script call that shares
 * its way with others, with answers while Redis is away. Its settings have the names and meanings of the limiter that comes
 * with the gateway, below {@code interlock-rate-limiter} in place of {@code redis-rate-limiter}. Thread-safe.
 */
public final class InterlockGatewayLimiter extends AbstractRateLimiter<InterlockGatewayLimiter.Config> {
    private static final String PROPERTY = "interlock-rate-limiter";

    private final Interlock interlock;

    /**
     * Sends nothing before it is asked.
     *
     * @param interlock who has the limiters
     * @param configuration binds the settings of routes
     */
    public InterlockGatewayLimiter(Interlock interlock, ConfigurationService configuration) {
        super(Config.class, PROPERTY, configuration);
        this.interlock = interlock;
    }

    @Override
    public Mono<Response> isAllowed(String routeId, String id) {
        return Mono.defer(() -> {
            Config config = getConfig().getOrDefault(routeId, new Config());
            RateLimiter limiter = interlock.rateLimiter("gateway:" + routeId, config.limit());
            return limiter.reactive()
                    .tryAcquire(id, config.getRequestedTokens())
                    .map(decision -> new Response(decision.allowed(), headers(config, decision)));
        });
    }

    private static Map<String, String> headers(Config config, Decision decision) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("X-RateLimit-Remaining", String.valueOf(decision.remaining()));
        headers.put("X-RateLimit-Replenish-Rate", String.valueOf(config.getReplenishRate()));
        headers.put("X-RateLimit-Burst-Capacity", String.valueOf(config.getBurstCapacity()));
        headers.put("X-RateLimit-Requested-Tokens", String.valueOf(config.getRequestedTokens()));
        Duration retry = decision.retryAfter();
        if (!decision.allowed() && !retry.equals(Decision.NEVER)) {
            headers.put(
                    "Retry-After",
                    String.valueOf(Math.max(1, retry.plusMillis(999).toSeconds())));
        }
        return headers;
    }

    /** Settings of a route. Not thread-safe while it is set up. */
    public static final class Config {
        private long replenishRate = 1;
        private long burstCapacity = 1;
        private long requestedTokens = 1;

        /** One request a second. */
        public Config() {}

        private Limit limit() {
            return Limit.gcra(replenishRate, Duration.ofSeconds(1)).burst(Math.max(burstCapacity, 1));
        }

        /**
         * Tokens that come back each second.
         *
         * @return the number
         */
        public long getReplenishRate() {
            return replenishRate;
        }

        /**
         * Sets the tokens that come back each second.
         *
         * @param replenishRate 1 or more
         */
        public void setReplenishRate(long replenishRate) {
            this.replenishRate = replenishRate;
        }

        /**
         * Most tokens at once.
         *
         * @return the number
         */
        public long getBurstCapacity() {
            return burstCapacity;
        }

        /**
         * Sets the most tokens at once.
         *
         * @param burstCapacity 1 or more
         */
        public void setBurstCapacity(long burstCapacity) {
            this.burstCapacity = burstCapacity;
        }

        /**
         * Tokens that one request costs.
         *
         * @return the number
         */
        public long getRequestedTokens() {
            return requestedTokens;
        }

        /**
         * Sets what one request costs.
         *
         * @param requestedTokens 1 or more
         */
        public void setRequestedTokens(long requestedTokens) {
            this.requestedTokens = requestedTokens;
        }
    }
}
