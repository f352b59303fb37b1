package io.margay.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/// The meters of the server, where there is a registry of meters.
@AutoConfiguration(
        afterName =
                "org.springframework.boot.micrometer.metrics.autoconfigure."
                        + "CompositeMeterRegistryAutoConfiguration")
@ConditionalOnWebApplication
@ConditionalOnClass(MeterRegistry.class)
public final class MargayMetricsAutoConfiguration {
    @Bean
    @ConditionalOnBean(MeterRegistry.class)
    @ConditionalOnMissingBean
    MargayMetricsBinder margayMetricsBinder(MeterRegistry registry, Environment environment) {
        return new MargayMetricsBinder(
                registry,
                Binder.get(environment)
                        .bind("server.margay.tomcat-meters", Boolean.class)
                        .orElse(false));
    }
}
