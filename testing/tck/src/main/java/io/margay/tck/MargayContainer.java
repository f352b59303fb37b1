package io.margay.tck;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Objects;
import org.jboss.arquillian.container.spi.client.container.DeployableContainer;
import org.jboss.arquillian.container.spi.client.container.DeploymentException;
import org.jboss.arquillian.container.spi.client.container.LifecycleException;
import org.jboss.arquillian.container.spi.client.protocol.ProtocolDescription;
import org.jboss.arquillian.container.spi.client.protocol.metadata.HTTPContext;
import org.jboss.arquillian.container.spi.client.protocol.metadata.ProtocolMetaData;
import org.jboss.arquillian.container.spi.client.protocol.metadata.Servlet;
import org.jboss.shrinkwrap.api.Archive;
import org.jspecify.annotations.Nullable;

/// Margay as Arquillian sees it. Confined to the thread of the tests.
public final class MargayContainer implements DeployableContainer<MargaySettings> {
    private static final System.Logger LOG = System.getLogger(MargayContainer.class.getName());

    private @Nullable MargaySettings settings;
    private @Nullable TestServer server;

    @Override
    public Class<MargaySettings> getConfigurationClass() {
        return MargaySettings.class;
    }

    @Override
    public void setup(MargaySettings configuration) {
        settings = configuration;
    }

    @Override
    public ProtocolDescription getDefaultProtocol() {
        return new ProtocolDescription("Local");
    }

    @Override
    public void start() throws LifecycleException {
        try {
            server = TestServer.start(Objects.requireNonNull(settings).isSecure());
        } catch (IOException | RuntimeException e) {
            throw new LifecycleException("Margay does not start", e);
        }
    }

    @Override
    public void stop() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    @Override
    public ProtocolMetaData deploy(Archive<?> archive) throws DeploymentException {
        TestServer running = Objects.requireNonNull(server);
        try {
            running.deploy(archive);
        } catch (IOException | RuntimeException | LinkageError e) {
            // The WebSocket suite has applications that must not be deployed, and asks for them.
            if (!System.getProperty("margay.tck.suite", "").equals("websocket")) {
                throw new DeploymentException(archive.getName() + " cannot be deployed", e);
            }
            LOG.log(Level.INFO, "{0} is not deployed: {1}", archive.getName(), e.getMessage());
        }
        HTTPContext context = new HTTPContext("localhost", running.port());
        context.add(new Servlet("default", TestServer.contextPath(archive)));
        return new ProtocolMetaData().addContext(context);
    }

    @Override
    public void undeploy(Archive<?> archive) {
        Objects.requireNonNull(server).undeploy(archive);
    }
}
