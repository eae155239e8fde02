// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/**
 * Mixed traffic over many connections at once: of 100 requests 80 ask for a coupon (each tenth of them again, by the same key),
 * 14 look at the campaign, 5 hold a unit, and one decreases a stock. {@link #main} runs it at a service that runs.
 */
final class HttpLoad {
    private static final int PRODUCTS = 10;

    private final String base;
    private final String credentials;
    private final int connections;
    private final Map<String, LongAdder> answers = new ConcurrentHashMap<>();
    private final ConcurrentHistogram nanos = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(1), 2);
    private final ConnectionProvider provider;
    private final HttpClient client;

    /**
     * What came of it.
     *
     * @param answers by request and status
     * @param perSecond requests a second
     * @param p50 median, in milliseconds
     * @param p99 in milliseconds
     */
    record Report(Map<String, Long> answers, long perSecond, double p50, double p99) {
        long of(String answer) {
            return answers.getOrDefault(answer, 0L);
        }
    }

    HttpLoad(String base, String credentials, int connections) {
        this.base = base;
        this.credentials = credentials;
        this.connections = connections;
        provider = ConnectionProvider.builder("load")
                .maxConnections(connections)
                .pendingAcquireMaxCount(-1)
                .pendingAcquireTimeout(Duration.ofMinutes(2))
                .build();
        client = HttpClient.create(provider).responseTimeout(Duration.ofMinutes(1));
    }

    /** What the operator makes first; returns its id. */
    long make(String path, String json) {
        String body = client.headers(headers -> headers.set("Authorization", Shop.basic(credentials))
                        .set("Content-Type", "application/json")
                        .set("Idempotency-Key", "load-" + System.nanoTime()))
                .post()
                .uri(base + path)
                .send(Mono.just(Unpooled.wrappedBuffer(json.getBytes(StandardCharsets.UTF_8))))
                .responseSingle((response, content) -> content.asString())
                .block(Duration.ofSeconds(30));
        return Long.parseLong(body.replaceAll(".*\"id\":(\\d+).*", "$1"));
    }

    Report run(int requests, long units) {
        long campaign = make("/api/campaigns", "{\"name\":\"load\",\"units\":" + units + "}");
        long[] products = new long[PRODUCTS];
        for (int i = 0; i < PRODUCTS; i++) {
            products[i] = make("/api/products", "{\"name\":\"load\",\"units\":1000000,\"stock\":1000000}");
        }
        long start = System.nanoTime();
        Flux.range(0, requests)
                .flatMap(i -> send(i, campaign, products[i % PRODUCTS]), connections)
                .blockLast(Duration.ofMinutes(4));
        double seconds = (System.nanoTime() - start) / 1e9;
        provider.dispose();
        Map<String, Long> counted = new TreeMap<>();
        answers.forEach((answer, count) -> counted.put(answer, count.sum()));
        return new Report(
                counted,
                Math.round(requests / seconds),
                nanos.getValueAtPercentile(50) / 1e6,
                nanos.getValueAtPercentile(99) / 1e6);
    }

    private Mono<Void> send(int i, long campaign, long product) {
        int kind = i % 100;
        // Each tenth of the coupons repeats the request before it of its kind.
        int user = kind < 80 && kind % 10 == 9 ? i - 1 : i;
        if (kind < 80) {
            return ask("coupon", HttpMethod.POST, "/api/campaigns/" + campaign + "/coupons", user, "");
        }
        if (kind < 94) {
            return ask("show", HttpMethod.GET, "/api/campaigns/" + campaign, user, "");
        }
        return kind < 99
                ? ask("hold", HttpMethod.POST, "/api/products/" + product + "/holds", user, "{\"quantity\":1}")
                : ask("decrease", HttpMethod.POST, "/api/products/" + product + "/decrease", user, "{\"quantity\":1}");
    }

    private Mono<Void> ask(String name, HttpMethod method, String path, int user, String json) {
        long start = System.nanoTime();
        return client.headers(headers -> {
                    headers.set("X-User-Id", "user-" + user).set("Idempotency-Key", "k");
                    if (!json.isEmpty()) {
                        headers.set("Content-Type", "application/json");
                    }
                })
                .request(method)
                .uri(base + path)
                .send(
                        json.isEmpty()
                                ? Mono.empty()
                                : Mono.just(Unpooled.wrappedBuffer(json.getBytes(StandardCharsets.UTF_8))))
                .responseSingle((response, content) -> content.then(Mono.fromRunnable(
                        () -> count(name + ' ' + response.status().code(), start))))
                .onErrorResume(error -> Mono.fromRunnable(
                        () -> count(name + ' ' + error.getClass().getSimpleName(), start)))
                .then();
    }

    private void count(String answer, long start) {
        nanos.recordValue(Math.min(System.nanoTime() - start, nanos.getHighestTrackableValue()));
        answers.computeIfAbsent(answer, key -> new LongAdder()).increment();
    }

    /** Arguments: base URL, operator's credentials, connections, requests, units. */
    public static void main(String[] args) {
        HttpLoad load = new HttpLoad(args[0], args[1], Integer.parseInt(args[2]));
        System.out.println(load.run(Integer.parseInt(args[3]), Long.parseLong(args[4])));
        System.exit(0);
    }
}
