package io.margay.spring.boot;

import org.springframework.boot.web.server.reactive.AbstractReactiveWebServerFactoryTests;
import org.springframework.boot.web.server.reactive.ConfigurableReactiveWebServerFactory;

/// Spring Boot's tests of a reactive server.
class MargayReactiveFactoryTests extends AbstractReactiveWebServerFactoryTests {
    @Override
    protected ConfigurableReactiveWebServerFactory getFactory() {
        MargayReactiveWebServerFactory factory = new MargayReactiveWebServerFactory(0);
        factory.addBuilderCustomizers(Adapter.transport());
        return factory;
    }

    @Override
    protected void addConnector(int port, ConfigurableReactiveWebServerFactory factory) {
        ((MargayReactiveWebServerFactory) factory)
                .addBuilderCustomizers(builder -> builder.http("*", port));
    }

    @Override
    protected String startedLogMessage() {
        return Adapter.startedMessage(webServer);
    }
}
