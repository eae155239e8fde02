// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.embedded.RedisServer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {"spring.data.redis.port=1", "spring.cloud.gateway.server.webflux.enabled=false"})
@InterlockTest
class InterlockTestIT {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @Autowired
    private Interlock interlock;

    @Autowired
    private StringRedisTemplate template;

    @Autowired
    private RedisServer server;

    @Test
    void connectsTheWholeApplicationToOneRealServer() {
        interlock.value("seen").compareAndSet(null, "by both");
        assertThat(template.opsForValue().get("interlock:value:{seen}")).isEqualTo("by both");
        assertThat(server.isAlive()).isTrue();
    }
}
