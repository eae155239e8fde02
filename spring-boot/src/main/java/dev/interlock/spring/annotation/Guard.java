// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What an annotation does around one method; {@link GuardInterceptor} chooses the form that the method has. */
interface Guard {
    /** Runs a method that returns when its work is done. */
    @Nullable
    Object blocking(GuardedCall call) throws Throwable;

    /** Runs a method with at most one later result; misuse is thrown at once. */
    Mono<Object> one(GuardedCall call);

    /** Runs a method with many later results; misuse is thrown at once. */
    Flux<Object> many(GuardedCall call);
}
