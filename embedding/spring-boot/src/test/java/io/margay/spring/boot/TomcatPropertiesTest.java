package io.margay.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/// What an application is told whose properties were written for Tomcat.
final class TomcatPropertiesTest {
    private static String told(Map<String, Object> properties) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
        return TomcatProperties.told(environment);
    }

    @Test
    void properties_ofTomcat_areNamedWithTheirCounterparts() {
        assertEquals(
                "Properties server.tomcat.* have no effect with Margay:"
                        + " SERVER_TOMCAT_ACCEPT-COUNT (write server.margay.accept-count),"
                        + " server.tomcat.accesslog.enabled"
                        + " (write server.margay.accesslog.file and .format),"
                        + " server.tomcat.basedir (there is no counterpart),"
                        + " server.tomcat.max-http-form-post-size"
                        + " (write server.margay.max-http-form-post-size),"
                        + " server.tomcat.remoteip.protocol-header"
                        + " (write server.forward-headers-strategy),"
                        + " server.tomcat.threads.minSpare"
                        + " (write server.margay.threads.min-spare)",
                told(
                        Map.of(
                                "SERVER_TOMCAT_ACCEPT-COUNT", "1",
                                "server.tomcat.accesslog.enabled", "true",
                                "server.tomcat.basedir", "x",
                                "server.tomcat.max-http-form-post-size", "1MB",
                                "server.tomcat.remoteip.protocol-header", "x",
                                "server.tomcat.threads.minSpare", "1")));
    }

    @Test
    void properties_ofThisServer_areNotNamed() {
        assertNull(told(Map.of("server.port", "0", "server.margay.threads.max", "10")));
    }
}
