package io.margay.spring.boot;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/// A reactive application.
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ReactiveTestApplication {
    @Bean
    RouterFunction<ServerResponse> flow() {
        return RouterFunctions.route()
                .GET("/flow", request -> ServerResponse.ok().bodyValue("flowing"))
                .build();
    }
}
