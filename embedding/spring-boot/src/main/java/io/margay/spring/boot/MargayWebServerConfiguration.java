package io.margay.spring.boot;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWarDeployment;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/// What both kinds of applications have.
@ConditionalOnNotWarDeployment
@Configuration(proxyBeanMethods = false)
class MargayWebServerConfiguration {
    private static final Log LOG = LogFactory.getLog(MargayWebServerConfiguration.class);

    @Bean
    MargayWebServerFactoryCustomizer margayWebServerFactoryCustomizer(
            Environment environment, ServerProperties server, MargayServerProperties margay) {
        String told = TomcatProperties.told(environment);
        if (told != null) {
            LOG.warn(told);
        }
        return new MargayWebServerFactoryCustomizer(environment, server, margay);
    }
}
