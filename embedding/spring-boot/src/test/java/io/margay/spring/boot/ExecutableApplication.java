package io.margay.spring.boot;

import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// An application that is packed into an executable archive; see [ExecutableArchiveTest].
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class ExecutableApplication {
    /// Starts it.
    public static void main(String[] arguments) {
        SpringApplication.run(ExecutableApplication.class, arguments);
    }

    @RestController
    static class Asked {
        private final ServletContext context;

        Asked(ServletContext context) {
            this.context = context;
        }

        /// What the container has at a path, whatever Spring would find there.
        @GetMapping("/resource")
        String resource(@RequestParam("path") String path) throws IOException {
            try (InputStream in = context.getResourceAsStream(path)) {
                return in == null
                        ? "nothing"
                        : new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }
}
