package io.margay.spring.boot;

import org.springframework.boot.web.server.servlet.AbstractServletWebServerServletContextListenerTests;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Spring Boot's tests of context listeners.
class MargayContextListenerTests extends AbstractServletWebServerServletContextListenerTests {
    MargayContextListenerTests() {
        super(Server.class);
    }

    @Configuration(proxyBeanMethods = false)
    static class Server {
        @Bean
        MargayServletWebServerFactory factory() {
            MargayServletWebServerFactory factory = new MargayServletWebServerFactory(0);
            factory.addBuilderCustomizers(Adapter.transport());
            return factory;
        }
    }
}
