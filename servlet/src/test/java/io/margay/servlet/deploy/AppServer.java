package io.margay.servlet.deploy;

import io.margay.server.HttpServer;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
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

/// One deployed application behind a real server on a loopback port, and a client that is not ours.
public final class AppServer implements AutoCloseable {
    private final Deployment deployment;
    private final Transport transport;
    private final WorkerPool workers;
    private final HttpServer server;
    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(10))
                    .build();
    private final String base;

    private AppServer(Deployment deployment, String transportName) {
        this.deployment = deployment;
        try {
            transport = Transports.open(transportName, TransportConfig.defaults().withLoops(1));
            workers = new WorkerPool(WorkerLimits.defaults());
            server = new HttpServer(deployment.webApp().handler(), workers);
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            var listener = server.listen(transport, ListenerConfig.of(address));
            var bound = (InetSocketAddress) listener.socket().address();
            base = "http://127.0.0.1:" + bound.getPort() + deployment.contextPath();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Deploys and serves.
    public static AppServer start(
            Path source, String contextPath, Path work, UnaryOperator<DeploySettings> change) {
        return start(source, contextPath, work, change, "nio");
    }

    /// Deploys and serves over a transport.
    public static AppServer start(
            Path source,
            String contextPath,
            Path work,
            UnaryOperator<DeploySettings> change,
            String transportName) {
        DeploySettings settings = change.apply(DeploySettings.in(work));
        return new AppServer(new Deployer(settings).deploy(source, contextPath), transportName);
    }

    /// Deploys with default settings and serves.
    public static AppServer start(Path source, String contextPath, Path work) {
        return start(source, contextPath, work, UnaryOperator.identity());
    }

    public Deployment deployment() {
        return deployment;
    }

    /// Where the application is, without a slash at the end.
    public URI uri() {
        return URI.create(base);
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
