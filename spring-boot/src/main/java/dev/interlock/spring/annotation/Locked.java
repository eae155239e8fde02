// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method of a bean under a {@link dev.interlock.lock.DistributedLock}.
 *
 * <p>Guarantees: the method never runs without the lock, which is held until its result is complete: until it returns, until
 * its stage or Mono completes, until the last element of its Flux, or until an error or a cancellation. With
 * {@code @Transactional} the lock is taken before the transaction begins and released after its end, and if the lease was
 * lost meanwhile the transaction is rolled back. Called within a transaction that had begun before, it holds the lock until
 * that one ends; a second call there for the same name runs under the same lease. (A method with a stage runs outside of its
 * caller's transaction.) If the transaction would always be
 * outside, the application does not start. Does not guarantee what a lock cannot: have the resource check the fence. A
 * parameter of type {@link dev.interlock.lock.Lease}, for which callers pass null, receives the lease for that.
 *
 * <p>Not re-entrant outside of transactions. A method with a stage is run on the application's task executor, a reactive one
 * on Reactor's parallel scheduler, so that no I/O thread of Redis is held up. Throws what the lock throws:
 * {@link dev.interlock.lock.LockTimeoutException} if others held it for the whole wait. See the package for templates and for
 * where the annotation cannot be used. Cost: one script call to acquire and one to release.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Locked {
    /** Same as {@link #name()}. */
    @AliasFor("name")
    String value() default "";

    /** Template of the lock's name, at most 512 characters; required. */
    @AliasFor("value")
    String name() default "";

    /** Longest wait, for example {@code 3s}, or a placeholder; 10 s unless set. Zero is one attempt. */
    String waitTime() default "";

    /**
     * Lease time, for example {@code 30s}, or a placeholder; 30 s unless set. It must be longer than three times
     * {@code interlock.command-timeout}.
     */
    String leaseTime() default "";

    /** Whether the lease is prolonged until the method is done. Without that, a method that takes longer loses it. */
    boolean renewal() default true;
}
