// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import dev.interlock.Interlock;
import dev.interlock.InterlockListener;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.scheduling.annotation.EnableScheduling;

/** What the service is put together from. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
@EnableConfigurationProperties(FlashSaleSettings.class)
@ComponentScan
class FlashSale {
    /** Longer than the library's default: under full load a late answer is worth more than an unknown outcome. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

    @Bean
    Interlock interlock(Backends backends, ObjectProvider<InterlockListener> listener) {
        return Interlock.builder()
                .uri(backends.redisUris().toArray(String[]::new))
                .commandTimeout(COMMAND_TIMEOUT)
                .listener(listener.getIfAvailable(() -> new InterlockListener() {}))
                .build();
    }
}
