// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.InterlockBuilder;
import dev.interlock.spring.annotation.GuardAdvisor;
import dev.interlock.spring.annotation.GuardChecks;
import dev.interlock.spring.annotation.Locked;
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

/**
 * {@link Locked}. It is not switched off with Interlock: an application whose methods would run without their lock does not
 * start.
 */
@AutoConfiguration(after = InterlockAutoConfiguration.class)
@ConditionalOnClass(TransactionManager.class)
@Import(ProxyRegistrar.class)
public final class LockedAutoConfiguration {
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(name = "lockedAdvisor")
    static GuardAdvisor lockedAdvisor(ConfigurableListableBeanFactory beans) {
        return GuardAdvisor.locked(beans, () -> {
            InterlockProperties properties =
                    beans.getBeanProvider(InterlockProperties.class).getIfAvailable();
            return properties == null ? InterlockBuilder.DEFAULT_COMMAND_TIMEOUT : properties.commandTimeout();
        });
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(name = "lockedChecks")
    static GuardChecks lockedChecks(@Qualifier("lockedAdvisor") GuardAdvisor advisor) {
        return new GuardChecks(advisor);
    }
}
