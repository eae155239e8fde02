// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.spring.annotation.GuardAdvisor;
import dev.interlock.spring.annotation.GuardChecks;
import dev.interlock.spring.annotation.RateLimited;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.TransactionManager;

/** {@link RateLimited}; like {@link LockedAutoConfiguration} not switched off with Interlock. */
@AutoConfiguration(after = InterlockAutoConfiguration.class)
@ConditionalOnClass(TransactionManager.class)
@Import(ProxyRegistrar.class)
public final class RateLimitedAutoConfiguration {
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(name = "rateLimitedAdvisor")
    static GuardAdvisor rateLimitedAdvisor(ConfigurableListableBeanFactory beans) {
        return GuardAdvisor.rateLimited(beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(name = "rateLimitedChecks")
    static GuardChecks rateLimitedChecks(@Qualifier("rateLimitedAdvisor") GuardAdvisor advisor) {
        return new GuardChecks(advisor);
    }
}
