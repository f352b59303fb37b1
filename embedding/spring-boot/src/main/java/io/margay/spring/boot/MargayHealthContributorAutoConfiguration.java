package io.margay.spring.boot;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/// The health of the server in the actuator's, named `margay`.
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("margay")
public final class MargayHealthContributorAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "margayHealthIndicator")
    HealthContributor margayHealthIndicator(ApplicationContext context) {
        return new MargayHealthIndicator(context);
    }
}
