// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.limit;

import dev.interlock.Interlock;
import dev.interlock.flashsale.serve.FlashSaleSettings;
import dev.interlock.flashsale.serve.web.Problem;
import dev.interlock.flashsale.serve.web.RefusedException;
import dev.interlock.limit.Decision;
import dev.interlock.limit.Limit;
import dev.interlock.limit.RateLimiter;
import dev.interlock.limit.RateLimiterOptions;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * How many coupons and holds one user may ask for, over all processes. Its key is the checked user, never an address. While
 * Redis is away it lets all through: what they ask for is refused then anyway, with a better reason. Thread-safe.
 */
@Component
public final class UserLimit {
    /** Its name. */
    public static final String NAME = "coupons";

    private static final Duration DEADLINE = Duration.ofSeconds(1);

    private final RateLimiter limiter;
    private final Limit limit;
    private final String policyField;
    private final LongAdder allowed = new LongAdder();
    private final LongAdder denied = new LongAdder();

    UserLimit(Interlock interlock, FlashSaleSettings settings) {
        limit = Limit.gcra(
                settings.couponLimit().permits(), settings.couponLimit().period());
        limiter = interlock.rateLimiter(
                NAME, RateLimiterOptions.DEFAULT.failOpen().withDeadline(DEADLINE), limit);
        policyField = '"' + NAME + "\";q=" + limit.permits() + ";w=" + ceilSeconds(limit.period());
    }

    /**
     * Takes one request of a user.
     *
     * @param user who asks
     * @param headers of the answer, which tell the user how much is left (RateLimit fields of IETF httpapi draft 10)
     * @return completes if it is allowed; fails with {@link Problem#LIMITED} if not
     */
    public Mono<Void> take(String user, HttpHeaders headers) {
        return limiter.reactive().tryAcquire(user).flatMap(decision -> {
            headers.set("RateLimit-Policy", policyField);
            headers.set(
                    "RateLimit",
                    '"' + NAME + "\";r=" + decision.remaining() + ";t=" + ceilSeconds(decision.resetAfter()));
            if (decision.allowed()) {
                allowed.increment();
                return Mono.empty();
            }
            denied.increment();
            return Mono.error(refusal(decision));
        });
    }

    private RefusedException refusal(Decision decision) {
        return new RefusedException(Problem.LIMITED, "at most " + policy() + " for each user")
                .retryAfter(decision.retryAfter());
    }

    private static long ceilSeconds(Duration time) {
        return time.plusNanos(999_999_999).toSeconds();
    }

    /**
     * The limiter, for operators.
     *
     * @return the limiter
     */
    public RateLimiter limiter() {
        return limiter;
    }

    /**
     * The rule for people.
     *
     * @return for example {@code 50 in 1 s}
     */
    public String policy() {
        return limit.permits() + " in " + ceilSeconds(limit.period()) + " s";
    }

    /**
     * Requests that passed.
     *
     * @return their number since the start
     */
    public long allowed() {
        return allowed.sum();
    }

    /**
     * Requests that were told 429.
     *
     * @return their number since the start
     */
    public long denied() {
        return denied.sum();
    }
}
