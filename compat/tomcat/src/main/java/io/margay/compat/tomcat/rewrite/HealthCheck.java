package io.margay.compat.tomcat.rewrite;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.servlet.resource.WebResources;
import io.margay.servlet.settings.RequestRewriting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// What stands for `HealthCheckValve`: answers one path that the server, or the application, is up.
/// Immutable.
///
/// @param path that is answered
/// @param context whether it is one within an application
public record HealthCheck(String path, boolean context) implements RequestRewriting {
    /// The path unless the valve says another.
    public static final String PATH = "/health";

    private static final byte[] UP =
            "{\n  \"status\": \"UP\",\n  \"checks\": []\n}".getBytes(StandardCharsets.UTF_8);

    @Override
    public @Nullable Handler rewrite(
            Exchange exchange, String contextPath, @Nullable WebResources files) {
        boolean asked =
                exchange.path().error() == null
                        && exchange.path().path().equals((context ? contextPath : "") + path);
        return asked ? HealthCheck::answer : null;
    }

    private static void answer(Exchange exchange) throws IOException {
        exchange.fields().set("Content-Type", "application/json");
        exchange.end(UP, 0, UP.length);
    }
}
