package io.margay.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWarDeployment;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/// What both kinds of applications have.
@ConditionalOnNotWarDeployment
@Configuration(proxyBeanMethods = false)
class MargayWebServerConfiguration {
    @Bean
    MargayWebServerFactoryCustomizer margayWebServerFactoryCustomizer(
            Environment environment, ServerProperties server, MargayServerProperties margay) {
        return new MargayWebServerFactoryCustomizer(environment, server, margay);
    }
}
