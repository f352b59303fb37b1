package io.margay.junit;

import io.margay.embed.EmbeddedServer;
import io.margay.embed.Margay;
import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Starts a server at a free port before the first test of a class, and stops it after the last:
///
/// ```java
/// @RegisterExtension
/// static final MargayExtension SERVER =
///         MargayExtension.serving(builder -> builder.servlet("/hello", new Hello()));
/// ```
///
/// Tests may have the [EmbeddedServer] as a parameter, or its root as a [URI]. Owned by the thread
/// that JUnit starts and ends the class on; tests may ask it from any.
public final class MargayExtension
        implements BeforeAllCallback, AfterAllCallback, ParameterResolver {
    /// Tests are over when the class is: what still runs then is a fault of the test.
    private static final Duration DRAIN = Duration.ofSeconds(2);

    private final Consumer<Margay.Builder> parts;
    private volatile @Nullable EmbeddedServer server;

    private MargayExtension(Consumer<Margay.Builder> parts) {
        this.parts = parts;
    }

    /// A server of these parts. A listener is there already, and the first one.
    public static MargayExtension serving(Consumer<Margay.Builder> parts) {
        return new MargayExtension(parts);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        Margay.Builder builder = Margay.builder().http(0).drain(DRAIN);
        parts.accept(builder);
        server = builder.start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        EmbeddedServer running = server;
        server = null;
        if (running != null) {
            running.close();
        }
    }

    /// The server.
    ///
    /// @throws IllegalStateException outside the tests of the class
    public EmbeddedServer server() {
        EmbeddedServer running = server;
        if (running == null) {
            throw new IllegalStateException("the server runs during the tests of its class only");
        }
        return running;
    }

    /// Where it is asked for a path, such as `/hello`.
    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server().port()).resolve(path);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == EmbeddedServer.class || type == URI.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == URI.class ? uri("/") : server();
    }
}
