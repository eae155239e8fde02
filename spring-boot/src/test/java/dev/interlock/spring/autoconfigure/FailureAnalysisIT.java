// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.embedded.RedisServer;
import dev.interlock.script.Reply;
import dev.interlock.script.Script;
import dev.interlock.script.ScriptArgs;
import dev.interlock.script.ScriptKeys;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** What a user reads when his application does not start. */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalysisIT {
    private static RedisServer evicting;

    @BeforeAll
    static void start() {
        evicting = RedisServer.builder()
                .config("maxmemory", "64mb")
                .config("maxmemory-policy", "allkeys-lru")
                .start();
    }

    @AfterAll
    static void stop() {
        evicting.close();
    }

    private static ApplicationContextRunner with(String... properties) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(DataRedisAutoConfiguration.class, InterlockAutoConfiguration.class))
                .withPropertyValues("spring.data.redis.port=" + evicting.port())
                .withPropertyValues(properties);
    }

    /** What the analysers say to the failure, in the order in which Spring Boot asks them. */
    private static String analysis(ApplicationContextRunner runner) {
        List<String> said = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        runner.run(context -> {
            assertThat(context).hasFailed();
            failures.add(context.getStartupFailure());
            for (FailureAnalyzer analyzer :
                    SpringFactoriesLoader.forDefaultResourceLocation().load(FailureAnalyzer.class, (t, n, e) -> {})) {
                FailureAnalysis analysis = analyzer.analyze(context.getStartupFailure());
                if (analysis != null && said.isEmpty()) {
                    said.add(analysis.getDescription() + " | " + analysis.getAction());
                }
            }
        });
        assertThat(said).as("an analysis of %s", failures).hasSize(1);
        return said.get(0);
    }

    @Test
    void namesTheMissingRedis() {
        assertThat(analysis(with("spring.data.redis.port=1")))
                .contains("cannot connect to Redis at", ":1", "spring.data.redis.host");
    }

    @Test
    void masksThePasswordOfAServerThatIsMissing() {
        assertThat(analysis(with("spring.data.redis.url=redis://me:topsecret@127.0.0.1:1")))
                .contains("cannot connect")
                .doesNotContain("topsecret");
    }

    @Test
    void masksThePasswordOfAMalformedUrl() {
        assertThat(analysis(with("spring.data.redis.url=redis//me:topsecret@127.0.0.1")))
                .contains("spring.data.redis.url")
                .doesNotContain("topsecret");
    }

    @Test
    void namesWrongCredentials() {
        assertThat(analysis(with("spring.data.redis.username=nobody", "spring.data.redis.password=topsecret")))
                .contains("WRONGPASS", "spring.data.redis.password")
                .doesNotContain("topsecret");
    }

    @Test
    void namesABadSetting() {
        assertThat(analysis(with("interlock.key-prefix={a}"))).contains("'interlock.key-prefix'", "1 to 64 letters");
        assertThat(analysis(with("interlock.command-timeout=-1s"))).contains("'interlock.command-timeout'", "PT-1S");
        assertThat(analysis(with("interlock.max-pending=0"))).contains("'interlock.max-pending'", "is 0");
        assertThat(analysis(with("interlock.command-timeout=soon"))).contains("interlock.command-timeout");
    }

    @Test
    void namesAnUnknownProperty() {
        assertThat(analysis(with("interlock.comand-timeout=1s")))
                .contains("'interlock.comand-timeout'", "no such property");
        with("interlock.command-timeout=1s", "INTERLOCK_OTHER=1")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void namesWhatNodesAreMissing() {
        assertThat(analysis(with("spring.data.redis.cluster.nodes="))).contains("spring.data.redis.cluster.nodes");
        assertThat(analysis(with("spring.data.redis.sentinel.master=m", "spring.data.redis.sentinel.nodes=")))
                .contains("spring.data.redis.sentinel.nodes");
        assertThat(analysis(with("spring.data.redis.masterreplica.nodes=127.0.0.1:1,127.0.0.1:2")))
                .contains("spring.data.redis.masterreplica.nodes", "fail-over");
    }

    @Test
    void namesTheEvictionPolicyWhereThatStopsTheStart() {
        assertThat(analysis(with("interlock.checks.at-startup=fail")))
                .contains(
                        "maxmemory-policy is allkeys-lru",
                        "set maxmemory-policy noeviction",
                        "interlock.checks.at-startup");
    }

    @Test
    void warnsOfTheServerByDefaultAndIsSilentOnRequest(CapturedOutput output) {
        with().run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("maxmemory-policy is allkeys-lru", "has no password", "CVE-2025-49844", "AOF is off");
        int before = output.length();
        with("interlock.checks.at-startup=off")
                .run(context -> assertThat(context).hasNotFailed());
        with("interlock.checks.durability=memory")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output.toString().substring(before)).doesNotContain("AOF is off");
    }

    @Test
    void explainsKeysOfDifferentSlots() {
        Script<Long> script = Script.of("two", """
                #!lua
                -- Sums two keys.
                -- KEYS[1] a  one
                -- KEYS[2] b  another
                -- Returns {0}
                -- Cost    O(1)
                -- Retry   safe: reads
                local a, b = KEYS[1], KEYS[2]
                return redis.call('EXISTS', a, b)
                """, Reply.integer());
        assertThat(analysis(with().withBean(Runner.class, () -> new Runner(script))))
                .contains("different cluster slots", "hash tag");
    }

    /** Runs a script when the application starts. */
    static final class Runner implements BeanFactoryAware {
        private final Script<Long> script;

        Runner(Script<Long> script) {
            this.script = script;
        }

        @Override
        public void setBeanFactory(BeanFactory beans) {
            beans.getBean(Interlock.class).scripts().run(script, ScriptKeys.keys("a", "b"), ScriptArgs.args());
        }
    }
}
