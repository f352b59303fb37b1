package io.margay.app;

import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// A server with a cache before an [CacheOrigin].
final class CachedFront implements AutoCloseable {
    private final MargayServer server;

    /// @param host keys of the host, beside its routes
    CachedFront(Path folder, CacheOrigin origin, String transport, String host) throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("front.yaml"),
                        """
                        listeners: [{http: 127.0.0.1:0, transport: %s}]
                        hosts:
                          - routes:
                              /: {gateway: "http://127.0.0.1:%d"}
                              /off: {gateway: "http://127.0.0.1:%d", cache: {memory: 0}}
                        %s
                        work: work
                        """
                                .formatted(
                                        transport,
                                        origin.port(),
                                        origin.port(),
                                        host.indent(4).stripTrailing()));
        server = MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    MargayServer server() {
        return server;
    }

    RawHttpClient client() throws IOException {
        return RawHttpClient.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.ports().getFirst()));
    }

    /// The answer to one request on a connection of its own.
    ///
    /// @param fields lines, each with its end
    RawHttpClient.Response ask(String method, String target, String fields) throws IOException {
        try (RawHttpClient client = client()) {
            client.send(
                    method
                            + " "
                            + target
                            + " HTTP/1.1\r\nHost: shop.example\r\n"
                            + fields
                            + "\r\n");
            return client.response(method.equals("HEAD"));
        }
    }

    RawHttpClient.Response get(String target) throws IOException {
        return ask("GET", target, "");
    }

    @Override
    public void close() {
        server.close();
    }
}
