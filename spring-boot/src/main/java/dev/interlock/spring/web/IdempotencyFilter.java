// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * The {@code Idempotency-Key} header in Spring MVC; see {@link IdempotentRequests}. A response is sent when it is kept. That of
 * an asynchronous controller is made by another dispatch, which comes through here too; a servlet that completes its
 * asynchronous context without a dispatch is not for this filter.
 */
public final class IdempotencyFilter extends OncePerRequestFilter {
    private static final String RUNNING = IdempotencyFilter.class.getName() + ".running";

    private final IdempotentRequests requests;

    /**
     * A filter.
     *
     * @param requests runs requests once
     */
    public IdempotencyFilter(IdempotentRequests requests) {
        this.requests = requests;
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getAttribute(RUNNING) instanceof Running running) {
            running.go(request, response, chain);
            return;
        }
        RequestFacts facts = Servlets.facts(request);
        IdempotentRequests.Plan plan = requests.plan(facts);
        Answer refusal = plan.refusal();
        String key = plan.key();
        if (refusal != null) {
            Servlets.send(refusal, response);
        } else if (key == null || isAsyncDispatch(request)) {
            chain.doFilter(request, response);
        } else {
            once(key, facts, request, response, chain);
        }
    }

    private void once(
            String key, RequestFacts facts, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        HttpServletRequest readable = request;
        byte[] body;
        if (IdempotentRequests.isForm(request.getContentType())) {
            Map<String, List<String>> fields = new HashMap<>();
            request.getParameterMap().forEach((name, values) -> fields.put(name, Arrays.asList(values)));
            body = IdempotentRequests.form(fields);
        } else {
            body = request.getInputStream().readNBytes(requests.maxBody() + 1);
            readable = new ReadRequest(request, body);
        }
        if (body.length > requests.maxBody()) {
            Servlets.send(IdempotentRequests.tooLong(), response);
            return;
        }
        CompletableFuture<IdempotentRequests.Worked> worked = new CompletableFuture<>();
        CompletableFuture<Boolean> granted = new CompletableFuture<>();
        CompletableFuture<Answer> answer = requests.run(key, IdempotentRequests.fingerprint(facts, body), () -> {
            granted.complete(true);
            return worked;
        });
        answer.whenComplete((given, error) -> granted.complete(false));
        if (await(granted, worked)) {
            new Running(new KeptResponse(response), worked, answer).begin(readable, chain);
        } else {
            Servlets.send(await(answer, worked), response);
        }
    }

    /** Waits; if this thread is interrupted nobody does the work, and the key is given back. */
    private static <T> T await(CompletableFuture<T> future, CompletableFuture<?> worked) throws ServletException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            worked.completeExceptionally(new CancellationException("interrupted"));
            throw new ServletException("interrupted while a request waited for its Idempotency-Key", e);
        } catch (ExecutionException e) {
            throw new ServletException("a request with an Idempotency-Key failed", e.getCause());
        }
    }

    /**
     * A request that has its key, from dispatch to dispatch until its response is complete.
     *
     * @param kept collects the response
     * @param worked takes the response
     * @param answer completes when the response is kept, or cannot be
     */
    private record Running(
            KeptResponse kept, CompletableFuture<IdempotentRequests.Worked> worked, CompletableFuture<Answer> answer) {
        void begin(HttpServletRequest request, FilterChain chain) throws ServletException, IOException {
            go(request, kept, chain);
        }

        void go(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            try {
                chain.doFilter(request, response);
            } catch (ServletException | IOException | RuntimeException | Error e) {
                worked.completeExceptionally(e);
                throw e;
            }
            if (request.isAsyncStarted()) {
                request.setAttribute(RUNNING, this);
                request.getAsyncContext().addListener(new GiveBack(worked));
                return;
            }
            worked.complete(kept.worked());
            // Sent only now, so that whoever repeats the request at once finds the response.
            answer.handle((given, error) -> true).join();
            kept.copyBodyToResponse();
        }
    }

    /**
     * When an asynchronous request ends without a response that went through here, its key is free again.
     *
     * @param worked takes the response
     */
    private record GiveBack(CompletableFuture<IdempotentRequests.Worked> worked) implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            worked.completeExceptionally(new CancellationException("the request ended without a response"));
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            // onComplete follows, or a dispatch with a response.
        }

        @Override
        public void onError(AsyncEvent event) {
            // As above.
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
