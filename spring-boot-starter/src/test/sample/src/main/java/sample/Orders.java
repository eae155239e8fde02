// SPDX-License-Identifier: Apache-2.0
package sample;

import dev.interlock.Interlock;
import dev.interlock.limit.Limit;
import dev.interlock.limit.RateLimiter;
import dev.interlock.lock.Lease;
import java.time.Duration;
import org.springframework.stereotype.Service;

@Service
public class Orders {
    private final Interlock interlock;
    private final RateLimiter limiter;

    public Orders(Interlock interlock) {
        this.interlock = interlock;
        this.limiter = interlock.rateLimiter("orders", Limit.slidingWindow(2, Duration.ofMinutes(1)));
    }

    /** The fence of the lease under which the order was changed, or 0 if the user asks too often. */
    public long change(String order, String user) throws InterruptedException {
        if (!limiter.tryAcquire(user).allowed()) {
            return 0;
        }
        try (Lease lease = interlock.lock("order:" + order).acquire(Duration.ofSeconds(3))) {
            return lease.fence();
        }
    }
}
