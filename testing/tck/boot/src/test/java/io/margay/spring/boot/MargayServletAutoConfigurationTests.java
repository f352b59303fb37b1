package io.margay.spring.boot;

import org.springframework.boot.web.server.autoconfigure.servlet.AbstractServletWebServerAutoConfigurationTests;

/// Spring Boot's tests of the auto-configuration for servlets.
class MargayServletAutoConfigurationTests extends AbstractServletWebServerAutoConfigurationTests {
    MargayServletAutoConfigurationTests() {
        super(MargayServletWebServerAutoConfiguration.class);
    }
}
