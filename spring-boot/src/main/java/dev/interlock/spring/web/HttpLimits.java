// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import dev.interlock.Interlock;
import dev.interlock.limit.Decision;
import dev.interlock.limit.RateLimiterOptions.Outage;
import dev.interlock.spring.web.Answer.Header;
import dev.interlock.spring.web.HttpLimitListener.Outcome;
import dev.interlock.spring.web.HttpProperties.RouteLimit;
import dev.interlock.spring.web.RateLimitFields.Told;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.server.PathContainer;

/**
 * The limits of all routes: judges a request for both filters. All limits that match are asked, one after the other; when one
 * denies, what the ones before took is given back. Thread-safe.
 *
 * <p>Cost: one call of a limiter for each limit that matches; none where none does.
 */
public final class HttpLimits {
    private static final Logger log = LoggerFactory.getLogger(HttpLimits.class);

    private final List<HttpLimit> limits = new ArrayList<>();
    private final boolean xRateLimit;
    private final HttpLimitListener listener;

    /**
     * Checks the configuration.
     *
     * @param properties the configuration
     * @param interlock counts
     * @param listener told about every decision
     * @throws IllegalArgumentException if a setting breaks a rule; the message names the property
     */
    public HttpLimits(HttpProperties properties, Interlock interlock, HttpLimitListener listener) {
        ClientAddresses addresses = new ClientAddresses(properties.trustedProxies());
        Set<String> names = new HashSet<>();
        for (RouteLimit settings : properties.limits()) {
            String property = "interlock.http.limits[" + limits.size() + "]";
            HttpLimit limit = HttpLimit.of(property, settings, addresses, interlock);
            if (!names.add(limit.name())) {
                throw new IllegalArgumentException(
                        property + ".name must differ from that of the other limits but is " + limit.name());
            }
            limits.add(limit);
        }
        this.xRateLimit = properties.xRateLimit();
        this.listener = listener;
    }

    /**
     * What becomes of a request.
     *
     * @param headers to add to the response of an allowed request
     * @param refusal what to answer instead; null if the request is allowed
     */
    record Verdict(List<Header> headers, @Nullable Answer refusal) {}

    /** Judges a request; never fails. */
    CompletableFuture<Verdict> judge(RequestFacts request) {
        if (request.isPreFlight()) {
            return CompletableFuture.completedFuture(new Verdict(List.of(), null));
        }
        Judgement judgement = new Judgement(request);
        PathContainer path;
        try {
            path = request.parsedPath();
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(
                    new Verdict(List.of(), Answer.problem(400, RequestFacts.BAD_PATH)));
        }
        CompletableFuture<Judgement> asked = CompletableFuture.completedFuture(judgement);
        for (HttpLimit limit : limits) {
            Map<String, String> variables = limit.route().match(request.method(), path);
            if (variables != null) {
                asked = asked.thenCompose(before -> before.ask(limit, variables));
            }
        }
        return asked.thenApply(Judgement::verdict);
    }

    static Answer unavailable() {
        return Answer.problem(503, "The limit of requests cannot be judged at present", new Header("Retry-After", "1"));
    }

    static Answer tooMany(String extension, List<Header> headers) {
        return Answer.problem(
                429,
                "https://iana.org/assignments/http-problem-types#quota-exceeded",
                "Too many requests",
                extension,
                headers);
    }

    /** The way of one request through its limits, one step after the other. */
    private final class Judgement {
        private final RequestFacts request;
        private final List<Told> told = new ArrayList<>();
        private final List<Runnable> giveBack = new ArrayList<>();
        private @Nullable Answer refusal;

        Judgement(RequestFacts request) {
            this.request = request;
        }

        CompletableFuture<Judgement> ask(HttpLimit limit, Map<String, String> variables) {
            if (refusal != null) {
                return CompletableFuture.completedFuture(this);
            }
            CompletableFuture<Decision> asked;
            try {
                asked = limit.limiter()
                        .async()
                        .tryAcquire(
                                limit.key().key(request, variables),
                                limit.settings().cost())
                        .toCompletableFuture();
            } catch (IllegalArgumentException e) {
                badKey(limit);
                return CompletableFuture.completedFuture(this);
            } catch (RuntimeException e) {
                failed(limit, e);
                return CompletableFuture.completedFuture(this);
            }
            return asked.handle((decision, error) -> {
                if (error != null) {
                    failed(limit, error);
                } else {
                    decided(limit, decision);
                }
                return this;
            });
        }

        private void badKey(HttpLimit limit) {
            listener.judged(limit.name(), Outcome.BAD_KEY);
            if (!limit.settings().shadow()) {
                refuse(Answer.problem(400, "What the request is counted by is too long or holds forbidden characters"));
            }
        }

        private void failed(HttpLimit limit, Throwable error) {
            Throwable cause =
                    error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
            log.warn("limit {} could not be judged: {}", limit.name(), cause.toString());
            away(limit, limit.passesUnjudged());
        }

        private void away(HttpLimit limit, boolean passes) {
            listener.judged(limit.name(), passes ? Outcome.PASSED : Outcome.UNAVAILABLE);
            if (!passes && !limit.settings().shadow()) {
                refuse(unavailable());
            }
        }

        private void decided(HttpLimit limit, Decision decision) {
            boolean byPolicy = decision.origin() == Decision.Origin.OUTAGE_POLICY;
            boolean shared = limit.settings().outage() == Outage.LOCAL;
            if (byPolicy && (decision.allowed() || !shared)) {
                away(limit, decision.allowed());
                return;
            }
            boolean shadow = limit.settings().shadow();
            listener.judged(
                    limit.name(),
                    decision.allowed() ? Outcome.ALLOWED : shadow ? Outcome.SHADOW_DENIED : Outcome.DENIED);
            if (shadow) {
                return;
            }
            Told one = new Told(limit.policies(), limit.limits(), decision);
            told.add(one);
            if (decision.allowed()) {
                giveBack.add(() -> limit.limiter().async().refund(decision).exceptionally(error -> false));
            } else {
                deny(one);
            }
        }

        private void deny(Told one) {
            List<Header> headers = new ArrayList<>(RateLimitFields.of(told, xRateLimit));
            headers.add(new Header("Retry-After", Long.toString(RateLimitFields.retrySeconds(one.decision()))));
            refuse(tooMany(",\"violated-policies\":[\"" + String.join("\",\"", one.violated()) + "\"]", headers));
        }

        private void refuse(Answer answer) {
            refusal = answer;
            // If that fails the units come back with time, as those of every request.
            giveBack.forEach(Runnable::run);
        }

        Verdict verdict() {
            return new Verdict(refusal == null ? RateLimitFields.of(told, xRateLimit) : List.of(), refusal);
        }
    }
}
