// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.security.Principal;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** On Tomcat. */
class ServletFiltersIT extends ConnectionsContract {
    ServletFiltersIT() {
        super(WebApplicationType.SERVLET, Login.class);
    }

    /** Where authentication stands. */
    @Configuration(proxyBeanMethods = false)
    static class Login {
        @Bean
        FilterRegistrationBean<Filter> login() {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(Login::login);
            registration.setOrder(-100);
            return registration;
        }

        private static void login(ServletRequest request, ServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            HttpServletRequest given = (HttpServletRequest) request;
            String user = given.getHeader("X-Test-User");
            HttpServletRequest known = new HttpServletRequestWrapper(given) {
                @Override
                public Principal getUserPrincipal() {
                    return () -> user;
                }
            };
            chain.doFilter(user == null ? given : known, response);
        }
    }
}
