package io.margay.spring.boot;

import io.margay.embed.EmbeddedServer;
import java.time.Duration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
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

    /// Starts the contexts.
    ///
    /// @param port as configured; negative = the server never listens
    MargayWebServer(EmbeddedServer server, int port, Shutdown shutdown) {
        this.server = server;
        this.port = port;
        this.shutdown = shutdown;
        try {
            server.deploy();
        } catch (RuntimeException e) {
            throw new WebServerException("Unable to start embedded Margay", e);
        }
        // The threads of the server are daemons; this one keeps the program alive.
        Thread.ofPlatform().name("margay-await").daemon(false).start(this::await);
    }

    private void await() {
        try {
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
            server.start();
        } catch (RuntimeException e) {
            PortInUseException.throwIfPortBindingException(e, () -> port);
            throw new WebServerException("Unable to start embedded Margay", e);
        }
        LOG.info("Margay started on port(s) " + server.ports() + contextPaths());
    }

    private String contextPaths() {
        StringBuilder text = new StringBuilder();
        for (var context : server.contexts()) {
            String path = context.getContextPath();
            text.append(" with context path '").append(path.isEmpty() ? "/" : path).append('\'');
        }
        return text.toString();
    }

    /// Closes the listeners; a shutdown that is waiting for requests is given up.
    @Override
    public void stop() {
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
                    boolean idle = server.drain(GRACE_MAX);
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
