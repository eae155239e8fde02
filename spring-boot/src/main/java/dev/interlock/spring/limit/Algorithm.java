// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.limit;

import dev.interlock.limit.Limit;
import java.time.Duration;

/** How a limit is counted; see {@link Limit} for the bound of each. */
public enum Algorithm {
    /** {@link Limit#slidingWindow(long, Duration)}: exact, for up to 100,000 units. */
    SLIDING_WINDOW,
    /** {@link Limit#gcra(long, Duration)}: a token bucket, which may have a burst of its own. */
    GCRA,
    /** {@link Limit#slidingCounter(long, Duration)}: never too many, for large limits. */
    SLIDING_COUNTER,
    /** {@link Limit#fixedWindow(long, Duration)}: quotas that begin anew, as per day. */
    FIXED_WINDOW
}
