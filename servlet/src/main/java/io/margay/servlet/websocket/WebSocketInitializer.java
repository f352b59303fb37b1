package io.margay.servlet.websocket;

import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.annotation.HandlesTypes;
import jakarta.websocket.Endpoint;
import jakarta.websocket.server.ServerApplicationConfig;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpoint;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Gives an application its WebSocket container before anything else of it runs. Stateless.
@HandlesTypes({ServerEndpoint.class, ServerApplicationConfig.class, Endpoint.class})
public final class WebSocketInitializer implements ServletContainerInitializer {
    private static final String FILTER = "margay.websocket";

    /// Whether a class belongs to an implementation of WebSocket that an application brings: it is
    /// not used, and its classes are no endpoints of the application.
    public static boolean isImplementation(String className) {
        return className.startsWith("org.glassfish.tyrus.")
                || className.startsWith("org.apache.tomcat.websocket.")
                || (className.startsWith("org.eclipse.jetty.")
                        && className.contains(".websocket."));
    }

    @Override
    public void onStartup(@Nullable Set<Class<?>> classes, ServletContext context) {
        EndpointRegistry endpoints =
                new EndpointRegistry(
                        WebSocketSettings.of(context, WebSocketLimits.defaults()),
                        classes == null ? Set.of() : deployable(classes));
        context.setAttribute(ServerContainer.class.getName(), endpoints);
        context.addListener(endpoints.sessions());
        FilterRegistration.Dynamic filter =
                context.addFilter(FILTER, new WebSocketFilter(endpoints));
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(null, true, "/*");
    }

    /// The concrete classes, when there is one among them that deploys an endpoint.
    private static Set<Class<?>> deployable(Set<Class<?>> classes) {
        Set<Class<?>> concrete = new HashSet<>();
        boolean deploys = false;
        for (Class<?> type : classes) {
            boolean made = !type.isInterface() && !Modifier.isAbstract(type.getModifiers());
            if (made && !isImplementation(type.getName())) {
                concrete.add(type);
                deploys |=
                        type.isAnnotationPresent(ServerEndpoint.class)
                                || ServerApplicationConfig.class.isAssignableFrom(type);
            }
        }
        return deploys ? concrete : Set.of();
    }
}
