package io.margay.servlet.websocket;

import jakarta.servlet.ServletException;
import jakarta.websocket.ClientEndpointConfig;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.Extension;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What an application finds in its context as `jakarta.websocket.server.ServerContainer`. Behind
/// it stands Tyrus, which is made when something is first asked of it, so that an application
/// without WebSocket does not pay for it.
///
/// Endpoints are added by the thread that starts the application; the rest is for any thread.
final class EndpointRegistry implements ServerContainer {
    private final WebSocketSettings settings;
    private final Set<Class<?>> classes;
    private final OpenSessions sessions = new OpenSessions();
    private @Nullable TyrusContainer made;
    private boolean started;
    private boolean fixed;
    private boolean endpointsAdded;

    /// @param classes endpoints and configurations that the application's archives hold
    EndpointRegistry(WebSocketSettings settings, Set<Class<?>> classes) {
        this.settings = settings;
        this.classes = Set.copyOf(classes);
        endpointsAdded = !classes.isEmpty();
    }

    /// The open sessions of all endpoints.
    OpenSessions sessions() {
        return sessions;
    }

    /// Tyrus, which this makes if need be.
    synchronized TyrusContainer tyrus() {
        TyrusContainer known = made;
        if (known == null) {
            known = new TyrusContainer(classes, settings, sessions);
            made = known;
        }
        return known;
    }

    /// Registers the endpoints found and added.
    synchronized void start() throws ServletException {
        started = true;
        if (!endpointsAdded) {
            return;
        }
        try {
            tyrus().start(settings.contextPath(), 0);
            tyrus().doneDeployment();
        } catch (DeploymentException | IOException e) {
            throw new ServletException("a WebSocket endpoint is wrong: " + e.getMessage(), e);
        }
    }

    /// Whether there are endpoints. None can be added after this has said no.
    synchronized boolean isNeeded() {
        fixed |= !endpointsAdded;
        return endpointsAdded;
    }

    /// Ends all sessions, and all threads.
    void stop() {
        sessions.endAll(settings.limits().closeWait());
        TyrusContainer known;
        synchronized (this) {
            known = made;
            fixed = true;
        }
        if (known != null) {
            known.stop();
        }
    }

    /// Tyrus for one more endpoint.
    private synchronized TyrusContainer forEndpoint() throws DeploymentException {
        if (fixed) {
            throw new DeploymentException(
                    "endpoints can be added only while the application starts: do it in a"
                            + " ServletContextListener");
        }
        TyrusContainer tyrus = tyrus();
        if (started && !endpointsAdded) {
            tyrus.doneDeployment();
        }
        endpointsAdded = true;
        return tyrus;
    }

    @Override
    public void addEndpoint(Class<?> endpointClass) throws DeploymentException {
        forEndpoint().addEndpoint(endpointClass);
    }

    @Override
    public void addEndpoint(ServerEndpointConfig config) throws DeploymentException {
        forEndpoint().addEndpoint(config);
    }

    @Override
    public void upgradeHttpToWebSocket(
            Object request,
            Object response,
            ServerEndpointConfig config,
            Map<String, String> pathParameters)
            throws IOException, DeploymentException {
        tyrus().upgradeHttpToWebSocket(request, response, config, pathParameters);
    }

    // The rest is Tyrus's

    @Override
    public long getDefaultAsyncSendTimeout() {
        return tyrus().getDefaultAsyncSendTimeout();
    }

    @Override
    public void setAsyncSendTimeout(long millis) {
        tyrus().setAsyncSendTimeout(millis);
    }

    @Override
    public Session connectToServer(Object endpoint, URI path)
            throws DeploymentException, IOException {
        return tyrus().connectToServer(endpoint, path);
    }

    @Override
    public Session connectToServer(Class<?> endpointClass, URI path)
            throws DeploymentException, IOException {
        return tyrus().connectToServer(endpointClass, path);
    }

    @Override
    public Session connectToServer(Endpoint endpoint, ClientEndpointConfig config, URI path)
            throws DeploymentException, IOException {
        return tyrus().connectToServer(endpoint, config, path);
    }

    @Override
    public Session connectToServer(
            Class<? extends Endpoint> endpointClass, ClientEndpointConfig config, URI path)
            throws DeploymentException, IOException {
        return tyrus().connectToServer(endpointClass, config, path);
    }

    @Override
    public long getDefaultMaxSessionIdleTimeout() {
        return tyrus().getDefaultMaxSessionIdleTimeout();
    }

    @Override
    public void setDefaultMaxSessionIdleTimeout(long millis) {
        tyrus().setDefaultMaxSessionIdleTimeout(millis);
    }

    @Override
    public int getDefaultMaxBinaryMessageBufferSize() {
        return tyrus().getDefaultMaxBinaryMessageBufferSize();
    }

    @Override
    public void setDefaultMaxBinaryMessageBufferSize(int bytes) {
        tyrus().setDefaultMaxBinaryMessageBufferSize(bytes);
    }

    @Override
    public int getDefaultMaxTextMessageBufferSize() {
        return tyrus().getDefaultMaxTextMessageBufferSize();
    }

    @Override
    public void setDefaultMaxTextMessageBufferSize(int bytes) {
        tyrus().setDefaultMaxTextMessageBufferSize(bytes);
    }

    @Override
    public Set<Extension> getInstalledExtensions() {
        return Set.of(new PerMessageDeflate(settings.limits()::messageBytesMax));
    }
}
