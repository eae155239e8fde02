// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.web;

import dev.interlock.flashsale.serve.FlashSaleSettings;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity.CsrfSpec;
import org.springframework.security.config.web.server.ServerHttpSecurity.FormLoginSpec;
import org.springframework.security.config.web.server.ServerHttpSecurity.LogoutSpec;
import org.springframework.security.config.web.server.ServerHttpSecurity.RequestCacheSpec;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.security.web.server.firewall.ServerExchangeRejectedHandler;
import reactor.core.publisher.Mono;

/**
 * Who may do what. Operators log in by HTTP basic authentication, users only if they have passwords. There are no sessions, and
 * so no tokens against forged requests: {@link RequestRules} refuses what another site sends.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
class SecurityConfiguration {
    private static final String OPERATOR = "OPERATOR";
    private static final String USER = "USER";
    private static final int PASSWORD_BYTES = 16;

    @Bean
    SecurityWebFilterChain rules(ServerHttpSecurity http, FlashSaleSettings settings) {
        return http.csrf(CsrfSpec::disable)
                .formLogin(FormLoginSpec::disable)
                .logout(LogoutSpec::disable)
                .requestCache(RequestCacheSpec::disable)
                .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                .httpBasic(basic -> basic.authenticationEntryPoint((exchange, e) -> logIn()))
                .exceptionHandling(handling -> handling.authenticationEntryPoint((exchange, e) -> logIn())
                        .accessDeniedHandler((exchange, e) -> Mono.error(
                                new RefusedException(Problem.FORBIDDEN, "these credentials do not allow it"))))
                .authorizeExchange(exchange -> {
                    exchange.pathMatchers("/api/operator/**", "/api/rush/**").hasRole(OPERATOR);
                    String[] sales = {"/api/campaigns", "/api/products"};
                    String[] changes = {
                        "/api/*/{id}/open", "/api/*/{id}/close", "/api/*/{id}/restock", "/api/*/{id}/revoke"
                    };
                    exchange.pathMatchers(HttpMethod.POST, sales).hasRole(OPERATOR);
                    exchange.pathMatchers(HttpMethod.POST, changes).hasRole(OPERATOR);
                    if (!settings.liveOpen()) {
                        exchange.pathMatchers("/api/live").hasRole(OPERATOR);
                    }
                    if (settings.users().logIn()) {
                        exchange.pathMatchers(HttpMethod.POST, "/api/**").hasRole(USER);
                    }
                    exchange.anyExchange().permitAll();
                })
                .build();
    }

    private static Mono<Void> logIn() {
        return Mono.error(new RefusedException(Problem.UNAUTHORIZED, "the credentials are missing or wrong")
                .header(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"Interlock\", charset=\"UTF-8\""));
    }

    /** Paths with encoded slashes, semicolons and the like. */
    @Bean
    ServerExchangeRejectedHandler oddPaths() {
        return (exchange, e) -> Mono.error(new RefusedException(Problem.INVALID, "the path is not a plain one"));
    }

    @Bean
    PasswordEncoder passwords() {
        return PasswordEncoderFactories.createDelegatingPasswordEncoder();
    }

    @Bean
    MapReactiveUserDetailsService accounts(FlashSaleSettings settings, PasswordEncoder passwords) {
        List<UserDetails> accounts = new ArrayList<>();
        FlashSaleSettings.Operator operator = settings.operator();
        accounts.add(User.withUsername(operator.name())
                .password(encoded(password(operator), passwords))
                .roles(OPERATOR)
                .build());
        settings.users().passwords().forEach((name, password) -> accounts.add(User.withUsername(name)
                .password(encoded(password, passwords))
                .roles(USER)
                .build()));
        return new MapReactiveUserDetailsService(accounts);
    }

    private static String password(FlashSaleSettings.Operator operator) {
        String given = operator.password();
        if (given != null && !given.isEmpty()) {
            return given;
        }
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        String generated = HexFormat.of().formatHex(random);
        // The only place where it can be read.
        System.err.println("interlock serve: operator " + operator.name() + " has the password " + generated
                + " (until the end; set FLASHSALE_OPERATOR_PASSWORD for one of your own)");
        return generated;
    }

    private static @Nullable String encoded(String password, PasswordEncoder passwords) {
        return password.startsWith("{") ? password : passwords.encode(password);
    }
}
