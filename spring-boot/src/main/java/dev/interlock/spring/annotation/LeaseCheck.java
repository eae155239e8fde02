// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import dev.interlock.lock.Lease;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** The innermost interceptor of a locked method: has the transaction that surrounds the method check the lease at its end. */
final class LeaseCheck implements MethodInterceptor {
    static final String ATTRIBUTE = LeaseCheck.class.getName();

    private final GuardedMethods<?> methods;

    LeaseCheck(GuardedMethods<?> methods) {
        this.methods = methods;
    }

    /** Puts the lease into the context of a reactive method. */
    static Function<Context, Context> of(Lease lease) {
        return context -> context.put(LeaseCheck.class, lease);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object bean = invocation.getThis();
        Class<?> target = bean == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(bean);
        Shape shape = methods.guarded(invocation.getMethod(), target).shape();
        if (!shape.reactive()) {
            register(((ProxyMethodInvocation) invocation).getUserAttribute(ATTRIBUTE));
            return invocation.proceed();
        }
        Object given = invocation.proceed();
        Publisher<Object> checked = shape.kind() == Shape.Kind.ONE
                ? registered().then(shape.toMono(given))
                : registered().thenMany(shape.toFlux(given));
        return shape.fromPublisher(checked);
    }

    private static void register(@Nullable Object attribute) {
        if (attribute instanceof Lease lease && TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    lease.ensureValid();
                }
            });
        }
    }

    private static Mono<Void> registered() {
        return Flux.deferContextual(context -> Mono.justOrEmpty(context.<Lease>getOrEmpty(LeaseCheck.class)))
                .flatMap(lease ->
                        org.springframework.transaction.reactive.TransactionSynchronizationManager
                                .forCurrentTransaction()
                                .filter(transaction -> transaction.isSynchronizationActive())
                                .doOnNext(transaction -> transaction.registerSynchronization(new Check(lease)))
                                .onErrorResume(NoTransactionException.class, none -> Mono.empty()))
                .then();
    }

    /** Refuses the commit of a reactive transaction. */
    private record Check(Lease lease) implements org.springframework.transaction.reactive.TransactionSynchronization {
        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.fromRunnable(lease::ensureValid);
        }
    }
}
