// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import java.security.Principal;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** On Netty. */
class WebFluxFiltersIT extends ConnectionsContract {
    WebFluxFiltersIT() {
        super(WebApplicationType.REACTIVE, Login.class);
    }

    /** Where authentication stands. */
    @Configuration(proxyBeanMethods = false)
    static class Login {
        @Bean
        @Order(-100)
        WebFilter login() {
            return (exchange, chain) -> {
                String user = exchange.getRequest().getHeaders().getFirst("X-Test-User");
                Principal principal = () -> user;
                return chain.filter(
                        user == null
                                ? exchange
                                : exchange.mutate()
                                        .principal(Mono.just(principal))
                                        .build());
            };
        }
    }
}
