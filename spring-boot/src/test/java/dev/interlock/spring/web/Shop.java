// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The same controller behind both stacks. */
@RestController
class Shop {
    final AtomicInteger runs = new AtomicInteger();
    volatile Sinks.One<String> late = Sinks.one();

    record Order(String item, int count) {}

    record Receipt(int number, Order order) {}

    record Form(String item) {}

    @GetMapping({"/header", "/user", "/address", "/shadow", "/both", "/open", "/short", "/tenants/{id}/x", "/free"})
    String hello() {
        runs.incrementAndGet();
        return "hello";
    }

    @PostMapping("/orders")
    ResponseEntity<Receipt> order(@RequestBody Order order) {
        int number = runs.incrementAndGet();
        return ResponseEntity.created(URI.create("/orders/" + number))
                .header("X-Number", "n" + number)
                .body(new Receipt(number, order));
    }

    @PostMapping("/orders/async")
    Mono<Receipt> async(@RequestBody Order order) {
        return Mono.delay(Duration.ofMillis(20)).map(tick -> new Receipt(runs.incrementAndGet(), order));
    }

    @PostMapping("/orders/late")
    Mono<String> late() {
        runs.incrementAndGet();
        return late.asMono();
    }

    @PostMapping("/orders/form")
    String form(Form form) {
        return form.item() + runs.incrementAndGet();
    }

    @PostMapping("/orders/failing")
    ResponseEntity<String> failing() {
        int run = runs.incrementAndGet();
        return run == 1 ? ResponseEntity.status(HttpStatus.BAD_GATEWAY).body("later") : ResponseEntity.ok("done");
    }

    @PostMapping("/orders/throwing")
    String throwing() {
        if (runs.incrementAndGet() == 1) {
            throw new ResponseStatusException(HttpStatus.CONFLICT);
        }
        return "done";
    }

    @PostMapping("/orders/huge")
    String huge() {
        return "x".repeat(1_100_000) + runs.incrementAndGet();
    }
}
