// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** The methods that carry one annotation, each with its guard, which is made once. Thread-safe. */
final class GuardedMethods<A extends Annotation> extends StaticMethodMatcherPointcut {
    private final Class<A> annotation;
    private final Factory<A> factory;
    private final DefaultParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();
    private final Map<MethodClassKey, Guarded> guards = new ConcurrentHashMap<>();

    GuardedMethods(Class<A> annotation, Factory<A> factory) {
        this.annotation = annotation;
        this.factory = factory;
        ClassFilter candidates = type -> AnnotationUtils.isCandidateClass(type, annotation);
        setClassFilter(candidates);
    }

    /** Reads and checks an annotation. */
    interface Factory<A extends Annotation> {
        /**
         * Makes the guard of a method.
         *
         * @throws IllegalArgumentException if the annotation cannot hold there
         */
        Guard guard(A annotation, Site site);
    }

    /**
     * Where an annotation stands.
     *
     * @param annotation its simple name
     * @param method the method
     * @param target class of the bean
     * @param shape how the method gives its result
     * @param parameters names of its parameters; empty if they are not known
     */
    record Site(String annotation, Method method, Class<?> target, Shape shape, List<String> parameters) {
        /** The name that things get that are given none. */
        String name() {
            return method.getDeclaringClass().getSimpleName() + "." + method.getName();
        }

        NameTemplate template(String attribute, String text) {
            return NameTemplate.parse("@" + annotation + "(" + attribute + ") of " + name(), text, parameters);
        }
    }

    /**
     * A method and its guard.
     *
     * @param shape how it gives its result
     * @param guard what to do around it
     */
    record Guarded(Shape shape, Guard guard) {}

    String annotationName() {
        return annotation.getSimpleName();
    }

    @Override
    public boolean matches(Method method, Class<?> target) {
        return annotated(specific(method, target)) != null;
    }

    boolean isCandidate(Class<?> type) {
        return AnnotationUtils.isCandidateClass(type, annotation);
    }

    @Nullable
    A annotated(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, annotation);
    }

    /** The guard of a method that {@link #matches}; made and checked at the first call, which start-up does. */
    Guarded guarded(Method method, Class<?> target) {
        return guards.computeIfAbsent(
                new MethodClassKey(method, target), key -> make(specific(method, target), target));
    }

    private Guarded make(Method method, Class<?> target) {
        A found = annotated(method);
        if (found == null) {
            throw new IllegalStateException(method + " carries no @" + annotation.getSimpleName());
        }
        Shape shape = Shape.of(method, target);
        String @Nullable [] known = names.getParameterNames(method);
        List<String> parameters = known == null ? List.of() : Arrays.asList(known);
        return new Guarded(
                shape, factory.guard(found, new Site(annotation.getSimpleName(), method, target, shape, parameters)));
    }

    private static Method specific(Method method, Class<?> target) {
        return AopUtils.getMostSpecificMethod(method, target);
    }
}
