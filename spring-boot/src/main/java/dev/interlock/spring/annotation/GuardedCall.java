// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * One call of a guarded method.
 *
 * @param invocation the rest of the chain
 * @param shape how the method gives its result
 * @param scheduler where the method runs that does not run on the caller's thread
 */
record GuardedCall(ProxyMethodInvocation invocation, Shape shape, Scheduler scheduler) {
    @Nullable
    Object[] arguments() {
        return invocation.getArguments();
    }

    /** Runs the method on this thread. */
    @Nullable
    Object proceed() throws Throwable {
        return invocation.proceed();
    }

    /** Runs the method at each subscription. */
    Mono<Object> one() {
        return Mono.defer(() -> {
                    try {
                        return shape.toMono(unused().proceed());
                    } catch (Throwable e) {
                        return Mono.error(e);
                    }
                })
                .subscribeOn(scheduler);
    }

    /** As {@link #one()}. */
    Flux<Object> many() {
        return Flux.defer(() -> {
                    try {
                        return shape.toFlux(unused().proceed());
                    } catch (Throwable e) {
                        return Flux.error(e);
                    }
                })
                .subscribeOn(scheduler);
    }

    /** An invocation can be used up once only. */
    private MethodInvocation unused() {
        return invocation.invocableClone();
    }

    /** The same call with another argument. */
    GuardedCall with(int index, Object argument) {
        @Nullable Object[] changed = arguments().clone();
        changed[index] = argument;
        return new GuardedCall((ProxyMethodInvocation) invocation.invocableClone(changed), shape, scheduler);
    }
}
