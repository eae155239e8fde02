// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Ways to call the same operation. */
enum LockView {
    BLOCKING,
    ASYNC,
    REACTIVE;

    Optional<Lease> tryAcquire(DistributedLock lock) {
        return switch (this) {
            case BLOCKING -> lock.tryAcquire();
            case ASYNC -> lock.async().tryAcquire().toCompletableFuture().join();
            case REACTIVE -> lock.reactive().tryAcquire().blockOptional();
        };
    }

    Optional<Lease> tryAcquire(DistributedLock lock, Duration wait) throws InterruptedException {
        return switch (this) {
            case BLOCKING -> lock.tryAcquire(wait);
            case ASYNC -> lock.async().tryAcquire(wait).toCompletableFuture().join();
            case REACTIVE -> lock.reactive().tryAcquire(wait).blockOptional();
        };
    }

    Lease acquire(DistributedLock lock, Duration wait) throws InterruptedException {
        return switch (this) {
            case BLOCKING -> lock.acquire(wait);
            case ASYNC -> joined(lock.async().acquire(wait).toCompletableFuture());
            case REACTIVE -> lock.reactive().acquire(wait).block();
        };
    }

    ReleaseResult release(DistributedLock lock, String token) {
        return switch (this) {
            case BLOCKING -> lock.release(token);
            case ASYNC -> lock.async().release(token).toCompletableFuture().join();
            case REACTIVE -> lock.reactive().release(token).block();
        };
    }

    ReleaseResult release(Lease lease) {
        return switch (this) {
            case BLOCKING -> lease.release();
            case ASYNC -> lease.async().release().toCompletableFuture().join();
            case REACTIVE -> lease.reactive().release().block();
        };
    }

    void extend(Lease lease, Duration time) {
        switch (this) {
            case BLOCKING -> lease.extend(time);
            case ASYNC -> joined(lease.async().extend(time).toCompletableFuture());
            case REACTIVE -> lease.reactive().extend(time).block();
        }
    }

    boolean forceRelease(DistributedLock lock) {
        return switch (this) {
            case BLOCKING -> lock.forceRelease();
            case ASYNC -> lock.async().forceRelease().toCompletableFuture().join();
            case REACTIVE -> Boolean.TRUE.equals(lock.reactive().forceRelease().block());
        };
    }

    Optional<LockOwner> owner(DistributedLock lock) {
        return switch (this) {
            case BLOCKING -> lock.owner();
            case ASYNC -> lock.async().owner().toCompletableFuture().join();
            case REACTIVE -> lock.reactive().owner().blockOptional();
        };
    }

    private static <T> T joined(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
