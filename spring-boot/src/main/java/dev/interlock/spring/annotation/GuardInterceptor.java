// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Runs each call of a guarded method in the form that the method has. */
final class GuardInterceptor implements MethodInterceptor {
    private final GuardedMethods<?> methods;
    private final Supplier<Executor> executor;

    GuardInterceptor(GuardedMethods<?> methods, Supplier<Executor> executor) {
        this.methods = methods;
        this.executor = executor;
    }

    GuardedMethods<?> methods() {
        return methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object bean = invocation.getThis();
        Class<?> target = bean == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(bean);
        GuardedMethods.Guarded guarded = methods.guarded(invocation.getMethod(), target);
        Shape shape = guarded.shape();
        GuardedCall call = new GuardedCall((ProxyMethodInvocation) invocation, shape, scheduler(shape));
        return switch (shape.kind()) {
            case BLOCKING -> guarded.guard().blocking(call);
            case STAGE, ONE -> shape.fromPublisher(guarded.guard().one(call));
            case MANY -> shape.fromPublisher(guarded.guard().many(call));
        };
    }

    /** The body of a method with a stage may block until it has its stage; that of a reactive one must not. */
    private Scheduler scheduler(Shape shape) {
        return switch (shape.kind()) {
            case BLOCKING -> Schedulers.immediate();
            case STAGE -> Schedulers.fromExecutor(executor.get());
            case ONE, MANY -> Schedulers.parallel();
        };
    }
}
