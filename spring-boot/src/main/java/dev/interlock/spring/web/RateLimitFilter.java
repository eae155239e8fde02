// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.springframework.web.filter.OncePerRequestFilter;

/** Lets {@link HttpLimits} judge each request of a servlet application; waits for Redis as long as the limit's deadline. */
public final class RateLimitFilter extends OncePerRequestFilter {
    private final HttpLimits limits;

    /**
     * A filter.
     *
     * @param limits judges
     */
    public RateLimitFilter(HttpLimits limits) {
        this.limits = limits;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        CompletableFuture<HttpLimits.Verdict> judged = limits.judge(Servlets.facts(request));
        HttpLimits.Verdict verdict;
        try {
            verdict = judged.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            return;
        } catch (ExecutionException e) {
            throw new ServletException("a request could not be judged", e.getCause());
        }
        Answer refusal = verdict.refusal();
        if (refusal != null) {
            Servlets.send(refusal, response);
            return;
        }
        verdict.headers().forEach(header -> response.setHeader(header.name(), header.value()));
        chain.doFilter(request, response);
    }
}
