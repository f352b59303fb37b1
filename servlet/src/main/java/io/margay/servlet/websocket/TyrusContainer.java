package io.margay.servlet.websocket;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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
    /// Frames are cut and bounded before they come to Tyrus, which need not do so again.
    private static final int INCOMING_BYTES_MAX = 1 << 30;

    private final WebSocketSettings settings;
    private final OpenSessions sessions;
    private final PerMessageDeflate compression;
    private final TyrusWebSocketEngine engine;
    private final IdleTimer timer;
    private final ExecutorService executor;
    private @Nullable ClientManager client;

    /// What a frame may have: as much as the limit says, or as the largest message that the
    /// application has asked for.
    private volatile int frameBytesMax;

    /// The limits with that bound, shared by all sessions.
    private volatile WebSocketLimits bounds;

    TyrusContainer(Set<Class<?>> classes, WebSocketSettings settings, OpenSessions sessions) {
        super(classes);
        this.settings = settings;
        this.sessions = sessions;
        bounds = settings.limits();
        frameBytesMax = bounds.messageBytesMax();
        classes.forEach(this::makeRoomFor);
        compression = new PerMessageDeflate(() -> frameBytesMax);
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
                .incomingBufferSize(INCOMING_BYTES_MAX)
                .applicationEventListener(new OpenFailures())
                .maxSessionsPerApp(settings.sessionsMax())
                .maxSessionsPerRemoteAddr(settings.sessionsPerAddressMax())
                .build();
    }

    @Override
    public WebSocketEngine getWebSocketEngine() {
        return engine;
    }

    /// Lets frames be as long as the messages that a method of an endpoint takes.
    private void makeRoomFor(Class<?> endpointClass) {
        for (Method method : endpointClass.getMethods()) {
            OnMessage taken = method.getAnnotation(OnMessage.class);
            if (taken != null && taken.maxMessageSize() <= Integer.MAX_VALUE) {
                makeRoomFor((int) taken.maxMessageSize());
            }
        }
    }

    private synchronized void makeRoomFor(int bytes) {
        frameBytesMax = Math.max(frameBytesMax, bytes);
    }

    @Override
    public void setDefaultMaxTextMessageBufferSize(int bytes) {
        super.setDefaultMaxTextMessageBufferSize(bytes);
        makeRoomFor(bytes);
    }

    @Override
    public void setDefaultMaxBinaryMessageBufferSize(int bytes) {
        super.setDefaultMaxBinaryMessageBufferSize(bytes);
        makeRoomFor(bytes);
    }

    @Override
    public void register(Class<?> endpointClass) throws DeploymentException {
        makeRoomFor(endpointClass);
        engine.register(endpointClass, settings.contextPath());
    }

    @Override
    public void register(ServerEndpointConfig config) throws DeploymentException {
        makeRoomFor(config.getEndpointClass());
        engine.register(config, settings.contextPath());
    }

    /// Answers a handshake for one of the endpoints; false when it is for none of them.
    boolean upgrade(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        return handshake(request).answer(engine, response, Map.of());
    }

    private Handshake handshake(HttpServletRequest request) {
        WebSocketLimits limits = bounds;
        if (limits.messageBytesMax() != frameBytesMax) {
            limits = limits.withMessageBytesMax(frameBytesMax);
            bounds = limits;
        }
        return new Handshake(request, settings, limits, sessions, timer, compression);
    }

    @Override
    public void upgradeHttpToWebSocket(
            Object request,
            Object response,
            ServerEndpointConfig config,
            Map<String, String> pathParameters)
            throws IOException, DeploymentException {
        Handshake handshake = handshake((HttpServletRequest) request);
        if (handshake.path().isEmpty()) {
            throw new DeploymentException("the path of the request can be read in several ways");
        }
        TyrusWebSocketEngine one = engine();
        if (Endpoint.class.isAssignableFrom(config.getEndpointClass())) {
            String path = handshake.path().substring(settings.contextPath().length());
            one.register(new EndpointAt(path, config), settings.contextPath());
        } else {
            // Where an annotated endpoint is, its annotation says.
            handshake.path(settings.contextPath() + filled(config.getPath(), pathParameters));
            one.register(config, settings.contextPath());
        }
        try {
            if (!handshake.answer(one, (HttpServletResponse) response, pathParameters)) {
                throw new DeploymentException("the request is not a WebSocket handshake");
            }
        } catch (ServletException e) {
            throw new DeploymentException(e.getMessage(), e);
        }
    }

    /// A template of a path with its variables replaced.
    private static String filled(String template, Map<String, String> values) {
        String path = template;
        for (Map.Entry<String, String> value : values.entrySet()) {
            String text = URLEncoder.encode(value.getValue(), StandardCharsets.UTF_8);
            path = path.replace("{" + value.getKey() + "}", text.replace("+", "%20"));
        }
        return path;
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
