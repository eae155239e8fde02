// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.doctor.Finding.Level;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckTest {
    private static NodeFacts facts(Map<String, String> info) {
        return new NodeFacts("here", info, Optional.of("app"), Optional.of(false));
    }

    private static Level level(Check check, Map<String, String> info) {
        return check.judge(facts(info)).level();
    }

    @ParameterizedTest
    @CsvSource({
        "6.2.21, FAIL",
        "7.0.15, WARN",
        "7.2.10, WARN",
        "7.2.11, WARN",
        "7.4.5, WARN",
        "8.2.1, WARN",
        "8.2.2, WARN",
        "8.6.2, WARN",
        "8.6.3, OK",
        "9.0.0, OK",
        "nonsense, WARN"
    })
    void judgesVersionsOfRedis(String version, Level expected) {
        assertThat(level(Check.VERSION, Map.of("redis_version", version))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"7.2.10, WARN", "7.2.11, OK", "8.0.5, WARN", "8.0.6, OK", "8.1.3, WARN", "8.1.4, OK", "9.0.0, OK"})
    void judgesVersionsOfValkey(String version, Level expected) {
        assertThat(level(Check.VERSION, Map.of("redis_version", "7.2.4", "valkey_version", version)))
                .isEqualTo(expected);
    }

    @Test
    void namesTheHoleOfAVersion() {
        assertThat(Check.VERSION.judge(facts(Map.of("redis_version", "7.2.10"))).says())
                .contains("Redis 7.2.10", "CVE-2025-49844", "cannot tell");
        assertThat(Check.VERSION.judge(facts(Map.of("redis_version", "8.4.0"))).says())
                .contains("CVE-2026-23479");
    }

    @Test
    void warnsOfAUserWithoutPassword() {
        NodeFacts open = new NodeFacts("here", Map.of(), Optional.of("default"), Optional.of(true));
        NodeFacts hidden = new NodeFacts("here", Map.of(), Optional.of("default"), Optional.empty());
        NodeFacts restricted = new NodeFacts("here", Map.of(), Optional.of("app"), Optional.empty());
        assertThat(Check.AUTHENTICATION.judge(open).says()).contains("needs no password");
        assertThat(Check.AUTHENTICATION.judge(hidden).says()).contains("could not be read");
        assertThat(Check.AUTHENTICATION.judge(restricted).level()).isEqualTo(Level.OK);
    }

    @Test
    void failsWhereAFullServerEvicts() {
        assertThat(level(Check.EVICTION, Map.of("maxmemory_policy", "noeviction")))
                .isEqualTo(Level.OK);
        assertThat(level(Check.EVICTION, Map.of("maxmemory_policy", "allkeys-lru", "maxmemory", "1000")))
                .isEqualTo(Level.FAIL);
        assertThat(level(Check.EVICTION, Map.of("maxmemory_policy", "volatile-ttl", "maxmemory", "0")))
                .isEqualTo(Level.WARN);
        assertThat(level(Check.EVICTION, Map.of())).isEqualTo(Level.WARN);
    }

    @Test
    void warnsOfReplicasThatNobodyWaitsFor() {
        assertThat(level(Check.REPLICAS, Map.of("connected_slaves", "0"))).isEqualTo(Level.OK);
        assertThat(level(Check.REPLICAS, Map.of("connected_slaves", "2"))).isEqualTo(Level.WARN);
        assertThat(level(Check.REPLICAS, Map.of("connected_slaves", "2", "min_slaves_good_slaves", "2")))
                .isEqualTo(Level.OK);
    }

    @Test
    void warnsWithoutAppendOnlyFile() {
        assertThat(level(Check.PERSISTENCE, Map.of("aof_enabled", "1"))).isEqualTo(Level.OK);
        assertThat(level(Check.PERSISTENCE, Map.of("aof_enabled", "0"))).isEqualTo(Level.WARN);
        assertThat(level(Check.PERSISTENCE, Map.of())).isEqualTo(Level.WARN);
    }
}
