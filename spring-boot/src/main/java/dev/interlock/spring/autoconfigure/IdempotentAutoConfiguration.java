// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.spring.annotation.GuardAdvisor;
import dev.interlock.spring.annotation.GuardChecks;
import dev.interlock.spring.annotation.Idempotent;
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
import tools.jackson.databind.json.JsonMapper;

/** {@link Idempotent}; like {@link LockedAutoConfiguration} not switched off with Interlock. */
@AutoConfiguration(after = InterlockAutoConfiguration.class)
@ConditionalOnClass({JsonMapper.class, TransactionManager.class})
@Import(ProxyRegistrar.class)
public final class IdempotentAutoConfiguration {
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(name = "idempotentAdvisor")
    static GuardAdvisor idempotentAdvisor(ConfigurableListableBeanFactory beans) {
        return GuardAdvisor.idempotent(beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(name = "idempotentChecks")
    static GuardChecks idempotentChecks(@Qualifier("idempotentAdvisor") GuardAdvisor advisor) {
        return new GuardChecks(advisor);
    }
}
