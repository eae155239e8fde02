// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * How a method gives its result, and so until when it is guarded.
 *
 * @param kind the way
 * @param adapter for other reactive types than Mono and Flux, else null
 * @param resultType type of the result, or of one element
 */
record Shape(Kind kind, @Nullable ReactiveAdapter adapter, ResolvableType resultType) {
    enum Kind {
        /** Until the method returns. */
        BLOCKING,
        /** Until the stage completes. */
        STAGE,
        /** Until the Mono or the suspend function completes. */
        ONE,
        /** Until the last element. */
        MANY
    }

    /** Nobody could tell when the work behind these is done. */
    private static final List<Class<?>> REFUSED =
            List.of(Future.class, Callable.class, BaseStream.class, Iterator.class);

    /**
     * The shape of a method.
     *
     * @throws IllegalArgumentException if the end of its work cannot be known
     */
    static Shape of(Method method, Class<?> target) {
        ResolvableType declared = ResolvableType.forMethodReturnType(method, target);
        Class<?> type = method.getReturnType();
        if (KotlinDetector.isSuspendingFunction(method)) {
            return suspending(method, target);
        }
        if (type == CompletionStage.class || type == CompletableFuture.class) {
            return new Shape(
                    Kind.STAGE, null, declared.as(CompletionStage.class).getGeneric(0));
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        if (adapter != null && !CompletionStage.class.isAssignableFrom(type)) {
            boolean many = adapter.isMultiValue();
            boolean plain = type == Mono.class || type == Flux.class;
            return new Shape(many ? Kind.MANY : Kind.ONE, plain ? null : adapter, declared.getGeneric(0));
        }
        for (Class<?> refused : REFUSED) {
            if (refused.isAssignableFrom(type)) {
                throw new IllegalArgumentException("a method cannot be guarded that gives a " + type.getSimpleName()
                        + ", because its end cannot be known: give a CompletionStage, a Mono or a Flux");
            }
        }
        return new Shape(Kind.BLOCKING, null, declared);
    }

    /** Spring's proxies turn what a suspend function gives into a Mono, or a Flux for a Flow, and back. */
    private static Shape suspending(Method method, Class<?> target) {
        int last = method.getParameterCount() - 1;
        ResolvableType continuation = ResolvableType.forMethodParameter(method, last, target);
        Type result = continuation.getGeneric(0).getType();
        if (result instanceof java.lang.reflect.WildcardType wildcard && wildcard.getLowerBounds().length == 1) {
            result = wildcard.getLowerBounds()[0];
        }
        ResolvableType type = ResolvableType.forType(result);
        boolean flow = type.toClass().getName().equals("kotlinx.coroutines.flow.Flow");
        return flow ? new Shape(Kind.MANY, null, type.getGeneric(0)) : new Shape(Kind.ONE, null, type);
    }

    boolean reactive() {
        return kind == Kind.ONE || kind == Kind.MANY;
    }

    /** What the method gave, as a Mono. */
    @SuppressWarnings("unchecked")
    Mono<Object> toMono(@Nullable Object given) {
        if (given instanceof Mono<?> mono) {
            return (Mono<Object>) mono;
        }
        if (given instanceof CompletionStage<?> stage) {
            // A cancelled subscriber cancels the future.
            return Mono.fromFuture((CompletableFuture<Object>) stage.toCompletableFuture(), false);
        }
        return Mono.from(toPublisher(given));
    }

    /** What the method gave, as a Flux. */
    Flux<Object> toFlux(@Nullable Object given) {
        return Flux.from(toPublisher(given));
    }

    @SuppressWarnings("unchecked")
    private Publisher<Object> toPublisher(@Nullable Object given) {
        if (given == null) {
            return Mono.error(
                    new IllegalStateException("a guarded method gave null instead of its stage or publisher"));
        }
        return adapter == null ? (Publisher<Object>) given : adapter.toPublisher(given);
    }

    /** A guarded publisher, as what the method declares. */
    Object fromPublisher(Publisher<Object> guarded) {
        if (kind == Kind.STAGE) {
            return Mono.from(guarded).toFuture();
        }
        return adapter == null ? guarded : adapter.fromPublisher(guarded);
    }
}
