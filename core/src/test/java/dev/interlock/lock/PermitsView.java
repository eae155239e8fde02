// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** Ways to call the same operation on permits. */
enum PermitsView {
    BLOCKING,
    ASYNC,
    REACTIVE;

    Optional<Lease> tryAcquire(Permits permits) {
        return switch (this) {
            case BLOCKING -> permits.tryAcquire();
            case ASYNC -> permits.async().tryAcquire().toCompletableFuture().join();
            case REACTIVE -> permits.reactive().tryAcquire().blockOptional();
        };
    }

    Lease acquire(Permits permits, Duration wait) {
        try {
            return switch (this) {
                case BLOCKING -> permits.acquire(wait);
                case ASYNC ->
                    permits.async().acquire(wait).toCompletableFuture().join();
                case REACTIVE -> permits.reactive().acquire(wait).block();
            };
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    ReleaseResult release(Permits permits, String token) {
        return switch (this) {
            case BLOCKING -> permits.release(token);
            case ASYNC -> permits.async().release(token).toCompletableFuture().join();
            case REACTIVE -> permits.reactive().release(token).block();
        };
    }

    long held(Permits permits) {
        return switch (this) {
            case BLOCKING -> permits.held();
            case ASYNC -> permits.async().held().toCompletableFuture().join();
            case REACTIVE -> permits.reactive().held().block();
        };
    }
}
