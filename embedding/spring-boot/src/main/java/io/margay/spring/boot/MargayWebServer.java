package io.margay.spring.boot;

import io.margay.embed.EmbeddedServer;
import io.margay.embed.ServerStartException;
import io.margay.transport.factory.IdleMemory;
import java.time.Duration;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.GracefulShutdownCallback;
import org.springframework.boot.web.server.GracefulShutdownResult;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.Shutdown;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.WebServerException;

/// A Margay as Spring Boot starts and stops it: its contexts run from the beginning, its listeners
/// when it is started. Thread-safe.
public final class MargayWebServer implements WebServer {
    private static final Log LOG = LogFactory.getLog(MargayWebServer.class);

    /// Spring's own time for a phase of the end comes before, and stops the server.
    private static final Duration GRACE_MAX = Duration.ofDays(1);

    private final EmbeddedServer server;
    private final int port;
    private final Shutdown shutdown;
    private final @Nullable String contextPath;

    /// Whether requests have been given up since the start, perhaps before a shutdown waited.
    private volatile boolean stopped;

    /// Starts the contexts.
    ///
    /// @param memory what the thread that waits for the end looks at meanwhile; null = nothing
    /// @param port as configured; negative = the server never listens
    /// @param contextPath to be told; null = the server is reactive, and has none
    MargayWebServer(
            EmbeddedServer server,
            @Nullable IdleMemory memory,
            int port,
            Shutdown shutdown,
            @Nullable String contextPath) {
        this.server = server;
        this.port = port;
        this.shutdown = shutdown;
        this.contextPath = contextPath;
        try {
            server.deploy();
        } catch (RuntimeException e) {
            throw new WebServerException("Unable to start embedded Margay", e);
        }
        // The threads of the server are daemons; this one keeps the program alive.
        Thread.ofPlatform()
                .name("margay-await")
                .daemon(false)
                .start(() -> await(port < 0 ? null : memory));
    }

    private void await(@Nullable IdleMemory memory) {
        try {
            Duration next = memory == null ? null : IdleMemory.SOON;
            while (memory != null && next != null && !server.await(next)) {
                next = server.isListening() ? memory.look() : IdleMemory.SOON;
            }
            server.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void start() {
        if (port < 0 || server.isListening()) {
            return;
        }
        try {
            stopped = false;
            server.start();
        } catch (RuntimeException e) {
            PortInUseException.throwIfPortBindingException(e, () -> failedPort(e));
            throw new WebServerException("Unable to start embedded Margay", e);
        }
        LOG.info(startedMessage());
    }

    /// Another listener's port may be the one that is taken.
    private int failedPort(RuntimeException e) {
        return e instanceof ServerStartException failed ? failed.port().orElse(port) : port;
    }

    /// In the words of the other servers, which tools look for.
    String startedMessage() {
        List<Integer> ports = server.ports();
        List<String> schemes = server.schemes();
        StringBuilder text = new StringBuilder("Margay started on port");
        text.append(ports.size() == 1 ? " " : "s ");
        String end = "";
        for (int i = 0; i < ports.size(); i++) {
            text.append(end).append(ports.get(i)).append(" (").append(schemes.get(i)).append(')');
            end = ", ";
        }
        if (contextPath != null) {
            String path = contextPath.isEmpty() ? "/" : contextPath;
            text.append(" with context path '").append(path).append('\'');
        }
        return text.toString();
    }

    /// Closes the listeners; a shutdown that is waiting for requests is given up.
    @Override
    public void stop() {
        stopped = true;
        server.pause();
    }

    @Override
    public void destroy() {
        boolean _ = server.stop(Duration.ZERO);
    }

    @Override
    public void shutDownGracefully(GracefulShutdownCallback callback) {
        if (shutdown != Shutdown.GRACEFUL) {
            callback.shutdownComplete(GracefulShutdownResult.IMMEDIATE);
            return;
        }
        LOG.info("Commencing graceful shutdown. Waiting for active requests to complete");
        Thread.ofPlatform()
                .name("margay-shutdown")
                .start(() -> {
                    boolean idle = server.drain(GRACE_MAX) && !stopped;
                    LOG.info(
                            idle
                                    ? "Graceful shutdown complete"
                                    : "Graceful shutdown aborted with one or more requests still"
                                            + " active");
                    callback.shutdownComplete(
                            idle
                                    ? GracefulShutdownResult.IDLE
                                    : GracefulShutdownResult.REQUESTS_ACTIVE);
                });
    }

    /// The port of the first listener; -1 while it does not listen.
    @Override
    public int getPort() {
        try {
            return server.port();
        } catch (IllegalStateException e) {
            return -1;
        }
    }

    /// The server below.
    public EmbeddedServer server() {
        return server;
    }
}
