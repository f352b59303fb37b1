package hello;

import io.margay.server.HttpServer;
import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/// Answers each request with a greeting.
public final class Hello {
    private static final int WAITING_MAX = 1000;

    private Hello() {}

    /// A server at a port of this machine; 0 lets the system choose.
    static HttpServer start(Transport transport, int port) throws Exception {
        byte[] greeting = "hello\n".getBytes(StandardCharsets.UTF_8);
        HttpServer server =
                new HttpServer(
                        exchange -> exchange.end(greeting, 0, greeting.length),
                        new VirtualDispatcher(WAITING_MAX));
        server.listen(transport, ListenerConfig.of(new InetSocketAddress("127.0.0.1", port)));
        return server;
    }

    public static void main(String[] args) throws Exception {
        start(Transports.best(TransportConfig.defaults()).transport(), 8080);
    }
}
