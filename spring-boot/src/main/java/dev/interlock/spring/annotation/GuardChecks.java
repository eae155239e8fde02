// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Sees to it that an annotation that stands in the code holds in the application, or that the application does not start:
 * checks each bean before it is proxied, and its proxy afterwards.
 */
public final class GuardChecks implements BeanPostProcessor, Ordered {
    private final GuardAdvisor advisor;

    /**
     * Checks one annotation.
     *
     * @param advisor its advisor
     */
    public GuardChecks(GuardAdvisor advisor) {
        this.advisor = advisor;
    }

    /** After the proxies are made. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        Class<?> target = target(bean);
        List<Method> methods = annotated(target);
        for (Method method : methods) {
            String place = place(method);
            refuse(Modifier.isPrivate(method.getModifiers()), place, "it is private");
            refuse(Modifier.isStatic(method.getModifiers()), place, "it is static");
            refuse(Modifier.isFinal(method.getModifiers()), place, "it is final");
            refuse(Modifier.isFinal(target.getModifiers()), place, target.getSimpleName() + " is final");
            try {
                advisor.methods().guarded(method, target);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(place + " cannot hold: " + e.getMessage(), e);
            }
        }
        if (!methods.isEmpty()) {
            refuseSelfCalls(target, methods);
        }
        return bean;
    }

    private static void refuse(boolean broken, String place, String because) {
        if (broken) {
            throw new IllegalStateException(
                    place + " cannot hold, because " + because + ", so no proxy can stand in front of it");
        }
    }

    private void refuseSelfCalls(Class<?> target, List<Method> methods) {
        for (Class<?> type = target; type != null && type != Object.class; type = type.getSuperclass()) {
            String name = type.getSimpleName();
            SelfCalls.find(type, methods).ifPresent(caller -> {
                throw new IllegalStateException(place(methods.get(0)) + " would not hold for calls from " + name + "."
                        + caller
                        + ": an object that calls its own method does so past its proxy. Put the annotated method"
                        + " into a bean of its own");
            });
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> target = target(bean);
        List<Method> methods = annotated(target);
        if (methods.isEmpty()) {
            return bean;
        }
        if (!(bean instanceof Advised proxy) || proxy.isFrozen() || proxy.indexOf(advisor) < 0) {
            throw new IllegalStateException(place(methods.get(0)) + " would not hold, because the bean " + beanName
                    + " has no proxy that can be added to: break circular references to it, and do not freeze proxies");
        }
        if (advisor.outsideTransactions()) {
            methods.forEach(method -> refuseInside(proxy, method, target));
        }
        advisor.innermost().forEach(proxy::addAdvisor);
        return bean;
    }

    private void refuseInside(Advised proxy, Method method, Class<?> target) {
        for (Advisor outer : proxy.getAdvisors()) {
            if (outer == advisor) {
                return;
            }
            if (outer.getAdvice() instanceof TransactionInterceptor
                    && outer instanceof PointcutAdvisor transactions
                    && transactions.getPointcut().getMethodMatcher().matches(method, target)) {
                throw new IllegalStateException(place(method) + " would be inside the method's own transaction and end"
                        + " before its commit: have @EnableTransactionManagement(order = …) be larger than "
                        + advisor.getOrder() + ", as it is by default");
            }
        }
    }

    private static Class<?> target(Object bean) {
        return ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
    }

    private String place(Method method) {
        return "@" + advisor.methods().annotationName() + " on "
                + method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    private List<Method> annotated(Class<?> target) {
        List<Method> found = new ArrayList<>();
        if (advisor.methods().isCandidate(target)) {
            ReflectionUtils.doWithMethods(
                    target,
                    found::add,
                    method -> !method.isBridge()
                            && !method.isSynthetic()
                            && method.getDeclaringClass() != Object.class
                            && advisor.methods().annotated(method) != null);
        }
        return found;
    }
}
