package io.margay.servlet.websocket;

import jakarta.servlet.ServletContext;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How WebSocket works in one application: the container's limits, and what the context parameters
/// of the application say, which have the names that they have in Tyrus and in Tomcat. Immutable.
///
/// @param parameters the context parameters by name
/// @param textBytesMax of a text message
/// @param binaryBytesMax of a binary message
/// @param sessionsMax open sessions; null = any number
/// @param sessionsPerAddressMax open sessions of one client address; null = any number
record WebSocketSettings(
        String contextPath,
        ClassLoader loader,
        WebSocketLimits limits,
        Map<String, Object> parameters,
        int textBytesMax,
        int binaryBytesMax,
        @Nullable Integer sessionsMax,
        @Nullable Integer sessionsPerAddressMax) {
    private static final String MESSAGE_BYTES = "org.glassfish.tyrus.servlet.incoming-buffer-size";
    private static final String SESSIONS = "org.glassfish.tyrus.maxSessionsPerApp";
    private static final String SESSIONS_PER_ADDRESS =
            "org.glassfish.tyrus.maxSessionsPerRemoteAddr";
    private static final String TEXT_BYTES = "org.apache.tomcat.websocket.textBufferSize";
    private static final String BINARY_BYTES = "org.apache.tomcat.websocket.binaryBufferSize";

    WebSocketSettings {
        parameters = Map.copyOf(parameters);
    }

    /// What an application says; a number that is none counts as not given.
    static WebSocketSettings of(ServletContext context, WebSocketLimits defaults) {
        Map<String, Object> parameters = new HashMap<>();
        for (String name : Collections.list(context.getInitParameterNames())) {
            parameters.put(name, context.getInitParameter(name));
        }
        Integer bytes = number(context, MESSAGE_BYTES);
        WebSocketLimits limits =
                bytes == null ? defaults : defaults.withMessageBytesMax(Math.max(125, bytes));
        Integer text = number(context, TEXT_BYTES);
        Integer binary = number(context, BINARY_BYTES);
        return new WebSocketSettings(
                context.getContextPath(),
                context.getClassLoader(),
                limits,
                parameters,
                text == null ? limits.messageBytesMax() : text,
                binary == null ? limits.messageBytesMax() : binary,
                number(context, SESSIONS),
                number(context, SESSIONS_PER_ADDRESS));
    }

    private static @Nullable Integer number(ServletContext context, String name) {
        String text = context.getInitParameter(name);
        return text != null && text.matches("[1-9][0-9]{0,8}") ? Integer.valueOf(text) : null;
    }

    /// A name for threads.
    String application() {
        return contextPath.isEmpty() ? "root" : contextPath.substring(1).replace('/', '.');
    }
}
