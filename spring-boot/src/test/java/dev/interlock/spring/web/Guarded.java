// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import dev.interlock.spring.annotation.Idempotent;
import dev.interlock.spring.annotation.RateLimited;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Annotations on a controller. */
@RestController
class Guarded {
    @RateLimited(key = "#{#user}", limit = "1/1h", deadline = "5s")
    @GetMapping("/guarded/{user}")
    public Mono<String> limited(@PathVariable String user) {
        return Mono.just(user);
    }

    @Idempotent(name = "guarded", key = "#{#key}")
    @GetMapping("/guarded/{key}/{value}")
    public Mono<String> once(@PathVariable String key, @PathVariable String value) {
        return Mono.just(value);
    }
}
