// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Collections;

/** Between the servlet API and what is decided. */
final class Servlets {
    private Servlets() {}

    static RequestFacts facts(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        String query = request.getQueryString();
        return new RequestFacts(
                request.getMethod(),
                request.getRequestURI(),
                query == null ? "" : query,
                name -> Collections.list(request.getHeaders(name)),
                principal == null ? null : principal.getName(),
                request.getRemoteAddr());
    }

    static void send(Answer answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        for (Answer.Header header : answer.headers()) {
            response.addHeader(header.name(), header.value());
        }
        response.setContentLength(answer.body().length);
        response.getOutputStream().write(answer.body());
    }
}
