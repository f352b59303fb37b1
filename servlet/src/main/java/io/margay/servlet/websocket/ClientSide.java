package io.margay.servlet.websocket;

import jakarta.websocket.ClientEndpointConfig;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.Extension;
import jakarta.websocket.Session;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.reflect.Field;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import org.glassfish.tyrus.client.ClientManager;
import org.glassfish.tyrus.client.ClientProperties;
import org.glassfish.tyrus.container.jdk.client.JdkClientContainer;
import org.glassfish.tyrus.core.BaseContainer;

/// Tyrus's client on the JDK's channels, with a timer of its own. Thread-safe. Tyrus asks it for
/// the settings, in its turn.
///
/// Tyrus ends its timer with the last session, and sends that are under way then fail although
/// their message has left.
final class ClientSide extends BaseContainer {
    private static final System.Logger LOG = System.getLogger(ClientSide.class.getName());

    /// How long threads stay after the last connection.
    private static final int IDLE_SECONDS = 1;

    static {
        startCloser();
    }

    private final IdleTimer timer;
    private final ClientManager tyrus;
    private volatile long sendMillis;
    private volatile long idleMillis;
    private volatile int binaryBytesMax = Integer.MAX_VALUE;
    private volatile int textBytesMax = Integer.MAX_VALUE;

    ClientSide(ClassLoader loader) {
        timer = new IdleTimer("client", loader);
        tyrus = ClientManager.createClient(JdkClientContainer.class.getName(), this);
        tyrus.getProperties().put(ClientProperties.SHARED_CONTAINER_IDLE_TIMEOUT, IDLE_SECONDS);
    }

    /// Starts the thread of Tyrus that closes what is idle. It is started by whoever first closes a
    /// connection else, and keeps the class loader of that application for ever.
    private static void startCloser() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ClientSide.class.getClassLoader());
        try {
            String owner = JdkClientContainer.class.getPackageName() + ".TransportFilter";
            Field field = Class.forName(owner).getDeclaredField("connectionCloseScheduler");
            field.setAccessible(true);
            if (field.get(null) instanceof ExecutorService closer) {
                closer.execute(() -> LOG.log(Level.TRACE, "ready"));
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.log(Level.DEBUG, "Tyrus is made differently: {0}", e.toString());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public ScheduledExecutorService getScheduledExecutorService() {
        return timer;
    }

    @Override
    public Session connectToServer(Object endpoint, URI path)
            throws DeploymentException, IOException {
        return tyrus.connectToServer(endpoint, path);
    }

    @Override
    public Session connectToServer(Class<?> endpointClass, URI path)
            throws DeploymentException, IOException {
        return tyrus.connectToServer(endpointClass, path);
    }

    @Override
    public Session connectToServer(Endpoint endpoint, ClientEndpointConfig config, URI path)
            throws DeploymentException, IOException {
        return tyrus.connectToServer(endpoint, config, path);
    }

    @Override
    public Session connectToServer(
            Class<? extends Endpoint> endpointClass, ClientEndpointConfig config, URI path)
            throws DeploymentException, IOException {
        return tyrus.connectToServer(endpointClass, config, path);
    }

    @Override
    public long getDefaultAsyncSendTimeout() {
        return sendMillis;
    }

    @Override
    public void setAsyncSendTimeout(long millis) {
        sendMillis = millis;
    }

    @Override
    public long getDefaultMaxSessionIdleTimeout() {
        return idleMillis;
    }

    @Override
    public void setDefaultMaxSessionIdleTimeout(long millis) {
        idleMillis = millis;
    }

    @Override
    public int getDefaultMaxBinaryMessageBufferSize() {
        return binaryBytesMax;
    }

    @Override
    public void setDefaultMaxBinaryMessageBufferSize(int bytes) {
        binaryBytesMax = bytes;
    }

    @Override
    public int getDefaultMaxTextMessageBufferSize() {
        return textBytesMax;
    }

    @Override
    public void setDefaultMaxTextMessageBufferSize(int bytes) {
        textBytesMax = bytes;
    }

    @Override
    public Set<Extension> getInstalledExtensions() {
        return Set.of();
    }
}
