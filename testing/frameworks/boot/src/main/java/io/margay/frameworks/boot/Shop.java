package io.margay.frameworks.boot;

import jakarta.annotation.PreDestroy;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;

/// The application, started by the container.
@SpringBootApplication
public class Shop extends SpringBootServletInitializer {
    @Override
    protected SpringApplicationBuilder configure(SpringApplicationBuilder builder) {
        return builder.sources(Shop.class);
    }

    /// Tells the test, in the same JVM, that the context was closed.
    @PreDestroy
    void closed() {
        System.setProperty("margay.frameworks.boot", "closed");
    }
}
