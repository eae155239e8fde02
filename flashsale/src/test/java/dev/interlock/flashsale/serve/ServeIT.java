// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.flashsale.Command;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged service as a process of its own, with servers of its own. */
class ServeIT {
    private static final int CLIENTS = 8;
    private static final Pattern SEQUENCE = Pattern.compile("\"sequence\":(\\d+)");

    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();

    private Command serve() {
        Command command = Command.start(directory, "serve", "--port", "0");
        command.awaitSaid("ready at ");
        return command;
    }

    private static String found(Command command, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(command.err());
        assertThat(matcher.find()).as(command.err()).isTrue();
        return matcher.group(1);
    }

    private HttpResponse<String> post(String base, String path, String json, String... headers) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(base + path))
                        .timeout(Duration.ofSeconds(30))
                        .headers(headers)
                        .POST(json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> coupon(String base, int user) throws Exception {
        return post(base, "/api/campaigns/1/coupons", "", "X-User-Id", "user-" + user, "Idempotency-Key", "k-" + user);
    }

    private static long sequence(HttpResponse<String> answer) {
        Matcher matcher = SEQUENCE.matcher(answer.body());
        assertThat(matcher.find()).as(answer.body()).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    @Test
    void endedUnderLoadItLosesNothingAndKeepsItsData() throws Exception {
        Map<Integer, Long> promised = new ConcurrentHashMap<>();
        try (Command first = serve()) {
            String base = found(first, "ready at (http://\\S+?)/ ");
            String password = found(first, "has the password (\\w+)");
            HttpResponse<String> made = post(
                    base,
                    "/api/campaigns",
                    "{\"name\":\"kept\",\"units\":1000000}",
                    "Authorization",
                    Shop.basic("operator:" + password),
                    "Content-Type",
                    "application/json",
                    "Idempotency-Key",
                    "made");
            assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
            AtomicInteger serverErrors = new AtomicInteger();
            ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
            for (int i = 0; i < CLIENTS; i++) {
                int start = i;
                clients.execute(() -> rush(base, start, promised, serverErrors));
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> promised.size() > 500);

            long start = System.nanoTime();
            first.terminate();
            assertThat(first.awaitExit()).isEqualTo(143);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
            clients.shutdown();
            assertThat(clients.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            assertThat(serverErrors).hasValue(0);
            assertThat(first.err()).doesNotContain("Exception", "\tat ");
        }
        try (Command second = serve()) {
            String base = found(second, "ready at (http://\\S+?)/ ");
            for (Map.Entry<Integer, Long> each : promised.entrySet()) {
                if (each.getKey() % 50 < CLIENTS) {
                    HttpResponse<String> again = coupon(base, each.getKey());
                    assertThat(again.statusCode()).isEqualTo(200);
                    assertThat(sequence(again)).isEqualTo(each.getValue());
                }
            }
            String password = found(second, "has the password (\\w+)");
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(post(
                                            base,
                                            "/api/operator/pools/campaign-1/reconcile",
                                            "",
                                            "Authorization",
                                            Shop.basic("operator:" + password))
                                    .body())
                            .contains("\"Consistent\""));
            second.terminate();
            second.awaitExit();
        }
    }

    /** Until the service is gone. Whoever was told of a unit must keep it; nobody is told of an error. */
    private void rush(String base, int start, Map<Integer, Long> promised, AtomicInteger serverErrors) {
        for (int user = start; ; user += CLIENTS) {
            try {
                HttpResponse<String> answer = coupon(base, user);
                if (answer.statusCode() == 201) {
                    promised.put(user, sequence(answer));
                } else {
                    serverErrors.incrementAndGet();
                }
            } catch (Exception e) {
                return;
            }
        }
    }

    @Test
    void aPortInUseIsOneLineAndTouchesNoData() throws IOException {
        try (ServerSocket other = new ServerSocket(0)) {
            Command command = Command.start(directory, "serve", "--port", Integer.toString(other.getLocalPort()));
            assertThat(command.awaitExit()).isEqualTo(1);
            assertThat(command.err())
                    .isEqualToIgnoringNewLines("interlock serve: port " + other.getLocalPort()
                            + " is in use: give another one with --port");
            assertThat(command.out()).isEmpty();
            assertThat(directory.resolve("data")).doesNotExist();
        }
    }
}
