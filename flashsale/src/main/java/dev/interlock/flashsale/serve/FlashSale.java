// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.scheduling.annotation.EnableScheduling;

/** What the service is put together from. Interlock itself comes from the starter. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = DataRedisReactiveAutoConfiguration.class)
@EnableScheduling
@EnableConfigurationProperties(FlashSaleSettings.class)
@ComponentScan
class FlashSale {
    @Bean
    DataRedisConnectionDetails redisDetails(Backends backends) {
        return new RedisDetails(backends);
    }
}
