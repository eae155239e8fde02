// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.embedded.FaultProxy;
import dev.interlock.embedded.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Rule 1, R4: clocks of application servers that differ cannot matter, because none is read and none is sent. */
class LimiterClockIT {
    private static final Pattern ARGUMENT = Pattern.compile("\\r\\n([0-9]{9,19})\\r\\n");
    private static final long DAY_SECONDS = 86_400;

    @Test
    void noLimiterValueOrIdempotencyReadsAWallClock() {
        ArchRuleDefinition.noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(LocalDateTime.class, "now")
                .orShould()
                .callMethod(ZonedDateTime.class, "now")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages(
                                "dev.interlock.limit",
                                "dev.interlock.value",
                                "dev.interlock.idempotency",
                                "dev.interlock.internal"));
    }

    @Test
    void noCallOfALimiterCarriesATime() {
        Queue<byte[]> requests = new ConcurrentLinkedQueue<>();
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server.port());
                Interlock interlock = Interlock.connect(proxy.redisUri())) {
            RateLimiter limiter = interlock.rateLimiter(
                    "clock",
                    RateLimiterOptions.DEFAULT.withDeadline(Topology.PATIENCE),
                    Limit.gcra(2, Duration.ofSeconds(1)),
                    Limit.slidingWindow(3, Duration.ofSeconds(1)),
                    Limit.slidingCounter(3, Duration.ofSeconds(1)),
                    Limit.fixedWindow(100, Duration.ofSeconds(1)));
            proxy.onceWhen(FaultProxy.Mode.DROP_REPLY_THEN_CUT, request -> {
                requests.add(request.clone());
                return false;
            });
            limiter.tryAcquire("u");
            limiter.acquire("u", Duration.ofMillis(5));
            limiter.tryAcquire("u", 2);
            limiter.peek("u", 1);
            limiter.reset("u");
        }
        long now = System.currentTimeMillis();
        int calls = 0;
        for (byte[] request : requests) {
            String text = new String(request, StandardCharsets.ISO_8859_1);
            calls += text.contains("EVALSHA") ? 1 : 0;
            Matcher numbers = ARGUMENT.matcher(text);
            for (int from = 0; numbers.find(from); from = numbers.end() - 2) {
                double value = Double.parseDouble(numbers.group(1));
                for (double unit : new double[] {1, 1e3, 1e6, 1e9}) {
                    assertThat(Math.abs(value / unit - now / 1e3))
                            .as("seconds between the argument %s and now", numbers.group(1))
                            .isGreaterThan(DAY_SECONDS);
                }
            }
        }
        assertThat(calls).isGreaterThanOrEqualTo(5);
    }
}
