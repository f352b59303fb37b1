package io.margay.compat.tomcat.application;

import io.margay.compat.tomcat.javax.JavaxApplications;
import io.margay.server.HttpServer;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.servlet.deploy.DeploySettings;
import io.margay.servlet.deploy.Deployer;
import io.margay.servlet.deploy.Deployment;
import io.margay.servlet.settings.WebAppSettings;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// One application written for Tomcat, deployed and served on a loopback port, and a client that is
/// not ours.
public final class AppServer implements AutoCloseable {
    private final Deployment deployment;
    private final Transport transport;
    private final WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
    private final HttpServer server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;

    private AppServer(Deployment deployment) throws IOException {
        this.deployment = deployment;
        transport = Transports.open("nio", TransportConfig.defaults().withLoops(1));
        server = new HttpServer(deployment.webApp().handler(), workers);
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var bound = server.listen(transport, ListenerConfig.of(address)).socket().address();
        int port = ((InetSocketAddress) bound).getPort();
        base = "http://127.0.0.1:" + port + deployment.contextPath();
    }

    /// Deploys applications written for Tomcat.
    public static Deployer deployer(Path work, UnaryOperator<WebAppSettings> change) {
        return new Deployer(
                DeploySettings.in(work)
                        .withVendor(new TomcatApplications())
                        .withConversion(JavaxApplications.converted())
                        .withWebApp(change));
    }

    /// Deploys and serves.
    public static AppServer start(
            Path source, String contextPath, Path work, UnaryOperator<WebAppSettings> change) {
        try {
            return new AppServer(deployer(work, change).deploy(source, contextPath));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public Deployment deployment() {
        return deployment;
    }

    /// Asks for a path below the context.
    public HttpResponse<String> get(String path, String... headers) {
        return send("GET", path, headers);
    }

    /// Asks with any method.
    public HttpResponse<String> send(String method, String path, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path))
                        .timeout(Duration.ofSeconds(60))
                        .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
        deployment.undeploy();
        workers.close();
        transport.close();
    }
}
