// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import dev.interlock.Interlock;
import dev.interlock.idempotency.Idempotency;
import dev.interlock.idempotency.IdempotencyConfig;
import dev.interlock.idempotency.RunResult;
import dev.interlock.spring.web.Answer.Header;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.server.PathContainer;

/**
 * Requests that are run once for the key in their {@code Idempotency-Key} header, for both filters: the first runs, later ones
 * with the same key get its response. Keys belong to the authenticated user; those of anonymous requests are shared by all of
 * them. Responses of status 408, 425, 429 and from 500 on, and errors that the framework answers itself, are not kept, so that
 * the request can be tried again. Thread-safe.
 */
public final class IdempotentRequests {
    static final String HEADER = "Idempotency-Key";

    private static final Logger log = LoggerFactory.getLogger(IdempotentRequests.class);
    private static final Header REPLAYED = new Header("Idempotency-Replayed", "true");
    private static final Pattern BARE = Pattern.compile("[\\x21-\\x7E&&[^\"]]{1,255}");
    private static final Pattern QUOTED = Pattern.compile("\"[\\x21-\\x7E&&[^\"\\\\]]{1,255}\"");
    private static final Set<Integer> TRY_AGAIN = Set.of(408, 425, 429);
    /** What the connection, the moment or the first caller's session alone has to do with. */
    private static final Set<String> NOT_KEPT =
            Set.of("connection", "content-length", "date", "keep-alive", "set-cookie", "trailer", "transfer-encoding");
    /** Room for status and names within what Interlock keeps at most. */
    private static final int MAX_KEPT_BYTES = 1_000_000;

    private final List<Route> routes = new ArrayList<>();
    private final boolean required;
    private final int maxBody;
    private final Idempotency<Answer> kept;
    private final AnswerCodec codec = new AnswerCodec();

    /**
     * Checks the configuration.
     *
     * @param properties the configuration
     * @param interlock keeps the responses
     * @throws IllegalArgumentException if a setting breaks a rule; the message names the property
     */
    public IdempotentRequests(HttpProperties.Idempotency properties, Interlock interlock) {
        for (String path : properties.paths()) {
            routes.add(Route.of("interlock.http.idempotency.paths", path, properties.method()));
        }
        long bytes = properties.maxBody().toBytes();
        if (bytes < 0 || bytes > Integer.MAX_VALUE - 1) {
            throw new IllegalArgumentException(
                    "interlock.http.idempotency.max-body must be from 0 to 2 GB but is " + bytes);
        }
        this.maxBody = (int) bytes;
        this.required = properties.required();
        try {
            this.kept = interlock.idempotency(
                    "http", new IdempotencyConfig<>(codec, properties.lease(), properties.responseTtl()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("interlock.http.idempotency: " + e.getMessage(), e);
        }
    }

    /**
     * What to do with a request: with neither a key nor a refusal it is run as ever.
     *
     * @param key which work
     * @param refusal what to answer instead
     */
    record Plan(@Nullable String key, @Nullable Answer refusal) {
        private static final Plan PASS = new Plan(null, null);

        private static Plan refuse(int status, String title) {
            return new Plan(null, Answer.problem(status, title));
        }
    }

    Plan plan(RequestFacts request) {
        PathContainer path;
        try {
            path = request.parsedPath();
        } catch (IllegalArgumentException e) {
            return Plan.refuse(400, RequestFacts.BAD_PATH);
        }
        if (routes.stream().noneMatch(route -> route.match(request.method(), path) != null)) {
            return Plan.PASS;
        }
        List<String> lines = request.headers().apply(HEADER);
        if (lines.isEmpty()) {
            return required ? Plan.refuse(400, "This request needs an Idempotency-Key header") : Plan.PASS;
        }
        String line = lines.get(0).strip();
        boolean quoted = QUOTED.matcher(line).matches();
        if (lines.size() > 1 || !(quoted || BARE.matcher(line).matches())) {
            return Plan.refuse(400, "The Idempotency-Key must be one text of 1 to 255 visible ASCII characters");
        }
        String type = request.header("Content-Type");
        if (type != null && type.toLowerCase(Locale.ROOT).startsWith("multipart/")) {
            return Plan.refuse(415, "A multipart request cannot have an Idempotency-Key");
        }
        String key = quoted ? line.substring(1, line.length() - 1) : line;
        String user = request.principal();
        return new Plan((user == null ? "anonymous" : digest(bytes(user))) + ":" + key, null);
    }

    /** Longest body, in bytes. */
    int maxBody() {
        return maxBody;
    }

    static Answer tooLong() {
        return Answer.problem(413, "The body is too long for a request with an Idempotency-Key");
    }

    static boolean isForm(@Nullable String contentType) {
        return contentType != null
                && contentType.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded");
    }

    /** The body of a form in one order, whatever reads it; lengths keep different forms apart. */
    static byte[] form(Map<String, List<String>> fields) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(fields).forEach((name, values) -> {
            text.append(name.length()).append(':').append(name).append(values.size());
            values.forEach(
                    value -> text.append(':').append(value.length()).append(':').append(value));
        });
        return bytes(text.toString());
    }

    /** What a request is about. */
    static String fingerprint(RequestFacts request, byte[] body) {
        return digest(bytes(request.method() + "\n" + request.path() + "\n" + request.query() + "\n"), body);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String digest(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether a header of a response is kept. */
    static boolean keeps(String header) {
        return !NOT_KEPT.contains(header.toLowerCase(Locale.ROOT));
    }

    /**
     * What the application answered.
     *
     * @param answer the response
     * @param failed whether the framework answered because the work failed
     */
    record Worked(Answer answer, boolean failed) {}

    /** Has the key given back though there is a response. */
    private static final class NotKept extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotKept() {
            super("the response is not kept", null, false, false);
        }
    }

    /**
     * Runs a request once.
     *
     * @param work runs the application
     * @return what to answer: of this very run, whether it could be kept or not; what was kept of another; or a refusal. Fails
     *     with what the work fails with
     */
    CompletableFuture<Answer> run(String key, String fingerprint, Supplier<? extends CompletionStage<Worked>> work) {
        AtomicReference<@Nullable Answer> own = new AtomicReference<>();
        AtomicBoolean begun = new AtomicBoolean();
        CompletableFuture<RunResult<Answer>> running = kept.async()
                .run(key, fingerprint, () -> {
                    begun.set(true);
                    return work.get().thenApply(worked -> {
                        own.set(worked.answer());
                        return toKeep(worked);
                    });
                })
                .toCompletableFuture();
        return running.handle((result, error) -> {
            Answer answer = own.get();
            if (answer != null) {
                if (error != null && !(cause(error) instanceof NotKept)) {
                    log.warn(
                            "a request was run, but its response could not be kept: {}",
                            cause(error).toString());
                }
                return answer;
            }
            if (error == null) {
                return answer(result);
            }
            if (begun.get()) {
                throw new CompletionException(cause(error));
            }
            log.warn(
                    "a request with an Idempotency-Key was not run: {}",
                    cause(error).toString());
            return Answer.problem(503, "The request cannot be run at present", new Header("Retry-After", "1"));
        });
    }

    private Answer toKeep(Worked worked) {
        int status = worked.answer().status();
        if (worked.failed() || status >= 500 || TRY_AGAIN.contains(status)) {
            throw new NotKept();
        }
        boolean tooLong = codec.encode(worked.answer()).length > MAX_KEPT_BYTES;
        return tooLong
                ? Answer.problem(409, "The request was run before; its response was too long to be kept")
                : worked.answer();
    }

    private static Throwable cause(Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }

    private static Answer answer(RunResult<Answer> result) {
        if (result instanceof RunResult.Replayed<Answer> replayed) {
            Answer first = replayed.response();
            List<Header> headers = new ArrayList<>(first.headers());
            headers.add(REPLAYED);
            return new Answer(first.status(), headers, first.body());
        }
        if (result instanceof RunResult.InProgress<Answer> running) {
            return running(running.retryAfter());
        }
        if (result instanceof RunResult.Mismatch<Answer>) {
            return reused();
        }
        throw new IllegalStateException("a response was kept without having been made: " + result);
    }

    static Answer running(Duration retryAfter) {
        Header header = new Header("Retry-After", Long.toString(RateLimitFields.seconds(retryAfter)));
        return Answer.problem(409, "Another request with this idempotency key is running", header);
    }

    static Answer reused() {
        return Answer.problem(422, "This idempotency key was used for another request");
    }
}
