// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import dev.interlock.embedded.RedisServer;
import dev.interlock.spring.autoconfigure.IdempotentAutoConfiguration;
import dev.interlock.spring.autoconfigure.InterlockAutoConfiguration;
import dev.interlock.spring.autoconfigure.LockedAutoConfiguration;
import dev.interlock.spring.autoconfigure.RateLimitedAutoConfiguration;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Starts applications with what the annotations need. */
final class Application {
    private static final Class<?>[] AUTO_CONFIGURATIONS = {
        DataRedisAutoConfiguration.class,
        InterlockAutoConfiguration.class,
        LockedAutoConfiguration.class,
        RateLimitedAutoConfiguration.class,
        IdempotentAutoConfiguration.class
    };

    private Application() {}

    /** Without Redis: nothing may ask it. */
    static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LockedAutoConfiguration.class,
                        RateLimitedAutoConfiguration.class,
                        IdempotentAutoConfiguration.class));
    }

    static ConfigurableApplicationContext start(RedisServer redis, Class<?>... beans) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        // Generous, because the machine may be busy.
        Map<String, Object> settings =
                Map.of("spring.data.redis.port", redis.port(), "interlock.command-timeout", "2s", "test.wait", "1s");
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", settings));
        context.register(AUTO_CONFIGURATIONS);
        context.register(beans);
        context.refresh();
        return context;
    }
}
