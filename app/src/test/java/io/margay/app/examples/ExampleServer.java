package io.margay.app.examples;

import io.margay.app.Margay;
import io.margay.app.MargayServer;
import io.margay.app.config.TransportChoice;
import io.margay.testkit.Folders;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// One server in this process that serves all examples, with a listener of each transport.
/// Thread-safe.
final class ExampleServer implements AutoCloseable {
    private static final List<TransportChoice> TRANSPORTS =
            List.of(TransportChoice.BLOCKING, TransportChoice.NIO, TransportChoice.NATIVE);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    private final Path folder;
    private final Path work;
    private final MargayServer server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private ExampleServer() {
        folder = Path.of(System.getProperty("margay.root", ".."), "examples/target/webapps");
        if (!Files.isDirectory(folder)) {
            throw new AssertionError(folder + " is missing: build the module examples first");
        }
        try {
            work = Files.createTempDirectory("margay-examples");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Margay.Builder builder = Margay.builder().webapps(folder).work(work).drain(Duration.ZERO);
        TRANSPORTS.forEach(choice -> builder.http("127.0.0.1:0", choice));
        server = builder.start();
    }

    /// Starts the server before the first test that wants it, and stops it after the last of all.
    static final class Provider implements ParameterResolver {
        private static final ExtensionContext.Namespace OURS =
                ExtensionContext.Namespace.create(ExampleServer.class);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == ExampleServer.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(OURS)
                    .computeIfAbsent(
                            ExampleServer.class, key -> new ExampleServer(), ExampleServer.class);
        }
    }

    /// The folder that is served.
    Path folder() {
        return folder;
    }

    private int port(TransportChoice transport) {
        return server.ports().get(TRANSPORTS.indexOf(transport));
    }

    /// A raw connection.
    RawHttpClient connect(TransportChoice transport) throws IOException {
        return RawHttpClient.connect(address(transport));
    }

    /// Where the transport listens.
    InetSocketAddress address(TransportChoice transport) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port(transport));
    }

    /// The JDK's client.
    HttpClient client() {
        return client;
    }

    /// A request for the JDK's client.
    HttpRequest.Builder request(TransportChoice transport, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port(transport) + path))
                .timeout(ANSWER_MAX);
    }

    /// What a GET by the JDK's client is answered.
    HttpResponse<String> get(TransportChoice transport, String path)
            throws IOException, InterruptedException {
        return send(request(transport, path).build());
    }

    /// Sends by the JDK's client.
    HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, BodyHandlers.ofString());
    }

    @Override
    public void close() {
        client.close();
        server.close();
        Folders.delete(work);
    }
}
