package io.margay.servlet.websocket;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Extension;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.glassfish.tyrus.client.ClientManager;
import org.glassfish.tyrus.container.jdk.client.JdkClientContainer;
import org.glassfish.tyrus.core.TyrusWebSocketEngine;
import org.glassfish.tyrus.server.TyrusServerContainer;
import org.glassfish.tyrus.spi.WebSocketEngine;
import org.jspecify.annotations.Nullable;

/// Tyrus for one application: its endpoints, their settings and threads. Written by the thread that
/// starts the application; sessions and clients may be opened by any.
final class TyrusContainer extends TyrusServerContainer {
    private final WebSocketSettings settings;
    private final OpenSessions sessions;
    private final Set<Extension> extensions;
    private final TyrusWebSocketEngine engine;
    private final IdleTimer timer;
    private final ExecutorService executor;
    private @Nullable ClientManager client;

    TyrusContainer(Set<Class<?>> classes, WebSocketSettings settings, OpenSessions sessions) {
        super(classes);
        this.settings = settings;
        this.sessions = sessions;
        int bytesMax = settings.limits().messageBytesMax();
        extensions = Set.of(new PerMessageDeflate(bytesMax));
        timer = new IdleTimer(settings.application(), settings.loader());
        executor = Executors.newThreadPerTaskExecutor(this::thread);
        setDefaultMaxTextMessageBufferSize(settings.textBytesMax());
        setDefaultMaxBinaryMessageBufferSize(settings.binaryBytesMax());
        engine = engine();
    }

    private Thread thread(Runnable task) {
        Thread thread = Thread.ofVirtual().name("margay-websocket").unstarted(task);
        thread.setContextClassLoader(settings.loader());
        return thread;
    }

    private TyrusWebSocketEngine engine() {
        return TyrusWebSocketEngine.builder(this)
                .incomingBufferSize(WebSocketUpgrade.handedOverMax(settings.limits()))
                .maxSessionsPerApp(settings.sessionsMax())
                .maxSessionsPerRemoteAddr(settings.sessionsPerAddressMax())
                .build();
    }

    @Override
    public WebSocketEngine getWebSocketEngine() {
        return engine;
    }

    @Override
    public void register(Class<?> endpointClass) throws DeploymentException {
        engine.register(endpointClass, settings.contextPath());
    }

    @Override
    public void register(ServerEndpointConfig config) throws DeploymentException {
        engine.register(compressing(config), settings.contextPath());
    }

    /// An endpoint that says nothing of extensions has those of the container.
    private ServerEndpointConfig compressing(ServerEndpointConfig config) {
        return config.getExtensions().isEmpty()
                ? new ExtendedEndpointConfig(config, config.getPath(), List.copyOf(extensions))
                : config;
    }

    @Override
    public Set<Extension> getInstalledExtensions() {
        return extensions;
    }

    /// Answers a handshake for one of the endpoints; false when it is for none of them.
    boolean upgrade(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        return new Handshake(request, settings, sessions).answer(engine, response, Map.of());
    }

    @Override
    public void upgradeHttpToWebSocket(
            Object request,
            Object response,
            ServerEndpointConfig config,
            Map<String, String> pathParameters)
            throws IOException, DeploymentException {
        Handshake handshake = new Handshake((HttpServletRequest) request, settings, sessions);
        TyrusWebSocketEngine one = engine();
        String path = handshake.path().substring(settings.contextPath().length());
        one.register(
                new ExtendedEndpointConfig(config, path, compressing(config).getExtensions()),
                settings.contextPath());
        try {
            if (!handshake.answer(one, (HttpServletResponse) response, pathParameters)) {
                throw new DeploymentException("the request is no WebSocket handshake");
            }
        } catch (ServletException e) {
            throw new DeploymentException(e.getMessage(), e);
        }
    }

    // Threads

    @Override
    public ExecutorService getExecutorService() {
        return executor;
    }

    @Override
    public ScheduledExecutorService getScheduledExecutorService() {
        return timer;
    }

    @Override
    public void shutdown() {
        timer.shutdownNow();
        executor.shutdownNow();
        super.shutdown();
    }

    @Override
    protected synchronized ClientManager getClientManager() {
        ClientManager known = client;
        if (known == null) {
            known = ClientManager.createClient(JdkClientContainer.class.getName(), this);
            client = known;
        }
        return known;
    }
}
