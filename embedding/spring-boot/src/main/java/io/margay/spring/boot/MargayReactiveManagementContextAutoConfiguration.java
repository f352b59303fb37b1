package io.margay.spring.boot;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextFactory;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.server.reactive.ReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;

/// The actuator's endpoints on a port of their own: another server of the same kind.
@AutoConfiguration
@ConditionalOnClass(ManagementContextFactory.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
public final class MargayReactiveManagementContextAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    static ManagementContextFactory margayManagementContextFactory() {
        return new ManagementContextFactory(
                WebApplicationType.REACTIVE,
                ReactiveWebServerFactory.class,
                MargayReactiveWebServerAutoConfiguration.class);
    }
}
