package io.margay.spring.boot;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.autoconfigure.reactive.ReactiveWebServerConfiguration;
import org.springframework.boot.web.server.reactive.ReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ReactiveHttpInputMessage;

/// Margay for reactive applications, unless they have another server.
@AutoConfiguration(
        beforeName = {
            "org.springframework.boot.tomcat.autoconfigure.reactive."
                    + "TomcatReactiveWebServerAutoConfiguration",
            "org.springframework.boot.reactor.netty.autoconfigure."
                    + "NettyReactiveWebServerAutoConfiguration"
        })
@ConditionalOnClass(ReactiveHttpInputMessage.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@EnableConfigurationProperties(MargayServerProperties.class)
@Import({MargayWebServerConfiguration.class, ReactiveWebServerConfiguration.class})
public final class MargayReactiveWebServerAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(ReactiveWebServerFactory.class)
    MargayReactiveWebServerFactory margayReactiveWebServerFactory(
            ObjectProvider<MargayBuilderCustomizer> customizers) {
        MargayReactiveWebServerFactory factory = new MargayReactiveWebServerFactory();
        customizers.orderedStream().forEach(factory::addBuilderCustomizers);
        return factory;
    }
}
