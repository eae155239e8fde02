// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import dev.interlock.limit.RateLimiterOptions.Outage;
import dev.interlock.spring.limit.Algorithm;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method of a bean only within a limit, by a {@link dev.interlock.limit.RateLimiter}.
 *
 * <p>A denied call does not run the method: it throws {@link RateLimitedException}, which carries the decision. Where the
 * method gives a stage, a Mono or a Flux, that fails with it; a Mono or Flux takes its units at each subscription. What was
 * taken stays taken if the method fails. See the package for templates and for where the annotation cannot be used. Cost: as
 * the limiter's.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface RateLimited {
    /** Name of the limiter, taken literally; that of the class and the method, {@code Checkout.pay}, unless set. */
    String name() default "";

    /** Template of the key whose limit it is, for example {@code #{#user}}; a text alone is one limit for all callers. */
    String key();

    /** 1 to 8 limits as {@link dev.interlock.spring.limit.LimitText} reads them, or placeholders: {@code 100/1m}. */
    String[] limit();

    /** How they are counted. */
    Algorithm algorithm() default Algorithm.SLIDING_WINDOW;

    /** Units that a call takes, 1 to 10^12. */
    long cost() default 1;

    /** Longest time to wait for Redis, for example {@code 50ms}, or a placeholder; 100 ms unless set. */
    String deadline() default "";

    /** Who answers while Redis is away. */
    Outage outage() default Outage.FAIL_CLOSED;
}
