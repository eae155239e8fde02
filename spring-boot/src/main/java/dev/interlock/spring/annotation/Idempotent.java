// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method of a bean once for a key, by {@link dev.interlock.idempotency.Idempotency}: the first call runs it, later ones
 * get its result.
 *
 * <p>While the first call runs, others fail with {@link WorkInProgressException}; a call with the same key and other
 * arguments fails with {@link KeyReusedException}. A call that throws is not remembered. The result is kept as JSON and read
 * back as the declared type, for the first caller too, so both get the same; a Flux is kept as a list. Its type must say what
 * it holds: {@code Object}, a type variable or an interface without closed subtypes is refused at start-up. Guarantees and
 * non-guarantees are those of {@code Idempotency}: let the method itself be safe to repeat. With {@code @Transactional} the
 * result is kept after the commit; a call within a transaction that had begun before is refused, because that could still
 * roll back what the result tells. Cancelling does not stop work that has begun. See the package for templates and for where
 * the annotation cannot be used.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {
    /** Name of the kind of work, taken literally; that of the class and the method, {@code Checkout.pay}, unless set. */
    String name() default "";

    /** Template of the key. Make the user a part of it where one must not see another's result. */
    String key();

    /** Template of what the work is about; a digest of all arguments, as JSON, unless set. */
    String fingerprint() default "";

    /** How long a key stays taken by a caller that has died, for example {@code 10s}, or a placeholder; 10 s unless set. */
    String lease() default "";

    /** How long a result is kept, for example {@code 24h}, or a placeholder; 24 h unless set. */
    String resultTtl() default "";
}
