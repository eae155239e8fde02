// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Ways to call the same operation. */
enum ValueViews {
    BLOCKING,
    ASYNC,
    REACTIVE;

    static <R> R join(CompletionStage<R> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (java.util.concurrent.CompletionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : e;
        }
    }

    <T> Optional<T> get(AtomicValue<T> value) {
        return switch (this) {
            case BLOCKING -> value.get();
            case ASYNC -> join(value.async().get());
            case REACTIVE -> value.reactive().get().blockOptional();
        };
    }

    <T> CasResult<T> swap(AtomicValue<T> value, T expected, T next) {
        return switch (this) {
            case BLOCKING -> value.compareAndSet(expected, next);
            case ASYNC -> join(value.async().compareAndSet(expected, next));
            case REACTIVE -> value.reactive().compareAndSet(expected, next).block();
        };
    }

    <T> CasResult<T> swap(AtomicValue<T> value, T expected, T next, Ttl ttl) {
        return switch (this) {
            case BLOCKING -> value.compareAndSet(expected, next, ttl);
            case ASYNC -> join(value.async().compareAndSet(expected, next, ttl));
            case REACTIVE -> value.reactive().compareAndSet(expected, next, ttl).block();
        };
    }

    <T> CasResult<T> swap(AtomicValue<T> value, T expected, T next, String requestId) {
        return switch (this) {
            case BLOCKING -> value.compareAndSet(expected, next, Ttl.KEEP, requestId);
            case ASYNC -> join(value.async().compareAndSet(expected, next, Ttl.KEEP, requestId));
            case REACTIVE ->
                value.reactive()
                        .compareAndSet(expected, next, Ttl.KEEP, requestId)
                        .block();
        };
    }

    <T> T update(AtomicValue<T> value, UnaryOperator<T> change) {
        return switch (this) {
            case BLOCKING -> value.update(change);
            case ASYNC -> join(value.async().update(change));
            case REACTIVE -> value.reactive().update(change).block();
        };
    }

    <T> T update(AtomicValue<T> value, UnaryOperator<T> change, Duration budget) {
        return switch (this) {
            case BLOCKING -> value.update(change, Ttl.KEEP, budget);
            case ASYNC -> join(value.async().update(change, Ttl.KEEP, budget));
            case REACTIVE -> value.reactive().update(change, Ttl.KEEP, budget).block();
        };
    }

    <T> Optional<Versioned.Snapshot<T>> get(Versioned<T> value) {
        return switch (this) {
            case BLOCKING -> value.get();
            case ASYNC -> join(value.async().get());
            case REACTIVE -> value.reactive().get().blockOptional();
        };
    }

    <T> WriteResult<T> write(Versioned<T> value, long expected, T next) {
        return switch (this) {
            case BLOCKING -> value.compareAndSet(expected, next);
            case ASYNC -> join(value.async().compareAndSet(expected, next));
            case REACTIVE -> value.reactive().compareAndSet(expected, next).block();
        };
    }

    <T> WriteResult<T> write(Versioned<T> value, long expected, T next, Ttl ttl, String requestId) {
        return switch (this) {
            case BLOCKING -> value.compareAndSet(expected, next, ttl, requestId);
            case ASYNC -> join(value.async().compareAndSet(expected, next, ttl, requestId));
            case REACTIVE ->
                value.reactive().compareAndSet(expected, next, ttl, requestId).block();
        };
    }

    <T> Optional<Versioned.Snapshot<T>> update(Versioned<T> value, UnaryOperator<T> change) {
        return switch (this) {
            case BLOCKING -> value.update(change);
            case ASYNC -> join(value.async().update(change));
            case REACTIVE -> value.reactive().update(change).blockOptional();
        };
    }
}
