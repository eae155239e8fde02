// SPDX-License-Identifier: Apache-2.0
/** How much somebody may do in a time: start at {@link dev.interlock.limit.RateLimiter}. */
@NullMarked
package dev.interlock.limit;

import org.jspecify.annotations.NullMarked;
