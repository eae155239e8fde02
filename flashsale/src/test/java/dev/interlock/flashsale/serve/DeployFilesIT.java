// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.lock.Lease;
import dev.interlock.lock.LockOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard and the alerts ask for meters that a running service has. */
@ExtendWith(Shop.Shared.class)
class DeployFilesIT {
    private static final Path FOLDER = Path.of("../deploy");
    private static final Pattern METER = Pattern.compile("\\b(?:interlock|flashsale|jvm|process)_[a-z0-9_]+");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z0-9_]+)[{ ]");

    private final Shop shop;

    DeployFilesIT(Shop shop) {
        this.shop = shop;
    }

    private static Set<String> found(Pattern pattern, String text) {
        Set<String> found = new TreeSet<>();
        for (Matcher matcher = pattern.matcher(text); matcher.find(); ) {
            found.add(matcher.group(matcher.groupCount()));
        }
        return found;
    }

    /** Of everything a little, because a meter appears when something happens first. */
    private Set<String> served() {
        shop.coupon(shop.campaign(1), "meter-user", "meter-key");
        LockOptions brief = LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(100));
        try (Lease lease =
                shop.bean(Interlock.class).lock("metered", brief).tryAcquire().orElseThrow()) {
            await().atMost(Duration.ofSeconds(10)).until(() -> scrape().contains("interlock_lock_renew_total"));
            assertThat(lease.isValid()).isTrue();
        }
        await().atMost(Duration.ofSeconds(10)).until(() -> scrape().contains("interlock_lock_hold_seconds_count"));
        return found(SAMPLE, scrape());
    }

    private String scrape() {
        return shop.get("/actuator/prometheus").response().body();
    }

    @ParameterizedTest
    @ValueSource(strings = {"grafana-dashboard.json", "prometheus-alerts.yaml"})
    void everyMeterExists(String file) throws IOException {
        String text = Files.readString(FOLDER.resolve(file));
        String expressions = file.endsWith(".json")
                ? new JsonMapper()
                        .readTree(text).findValues("expr").stream()
                                .map(JsonNode::asString)
                                .collect(Collectors.joining("\n"))
                : text.lines().filter(line -> line.strip().startsWith("expr:")).collect(Collectors.joining("\n"));
        Set<String> asked = found(METER, expressions);
        assertThat(asked).hasSizeGreaterThan(8);
        assertThat(served()).containsAll(asked);
    }

    @Test
    void everyAlertIsExplained() throws IOException {
        Set<String> alerts =
                found(Pattern.compile("- alert: (\\w+)"), Files.readString(FOLDER.resolve("prometheus-alerts.yaml")));
        assertThat(alerts).isNotEmpty();
        assertThat(Files.readString(Path.of("../docs/operations.md"))).contains(alerts);
    }
}
