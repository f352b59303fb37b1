package io.margay.spring.boot;

import org.springframework.boot.web.server.autoconfigure.reactive.AbstractReactiveWebServerAutoConfigurationTests;

/// Spring Boot's tests of the auto-configuration for reactive applications.
class MargayReactiveAutoConfigurationTests extends AbstractReactiveWebServerAutoConfigurationTests {
    MargayReactiveAutoConfigurationTests() {
        super(MargayReactiveWebServerAutoConfiguration.class);
    }
}
