package io.margay.spring.boot;

import jakarta.servlet.ServletRequest;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.autoconfigure.servlet.ServletWebServerConfiguration;
import org.springframework.boot.web.server.servlet.ServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/// Margay for applications of the servlet kind, unless they have another server.
@AutoConfiguration(
        beforeName = {
            "org.springframework.boot.tomcat.autoconfigure.servlet."
                    + "TomcatServletWebServerAutoConfiguration",
            "org.springframework.boot.jetty.autoconfigure.servlet."
                    + "JettyServletWebServerAutoConfiguration"
        })
@ConditionalOnClass(ServletRequest.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@EnableConfigurationProperties(MargayServerProperties.class)
@Import({MargayWebServerConfiguration.class, ServletWebServerConfiguration.class})
public final class MargayServletWebServerAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(
            value = ServletWebServerFactory.class,
            search = SearchStrategy.CURRENT)
    MargayServletWebServerFactory margayServletWebServerFactory(
            ObjectProvider<MargayBuilderCustomizer> customizers) {
        MargayServletWebServerFactory factory = new MargayServletWebServerFactory();
        customizers.orderedStream().forEach(factory::addBuilderCustomizers);
        return factory;
    }
}
