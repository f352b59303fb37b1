package io.margay.server;

import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Exchange;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A server as a program, which a test stops and continues: it prints its port, and answers `/runs`
/// with the number of its connections and the paths that it was asked for; ends with its input.
final class StandstillServer {
    private static final List<String> RUNS = new CopyOnWriteArrayList<>();

    private static HttpServer.HttpListener listener;

    private StandstillServer() {}

    /// @param args the transport; and a certificate and its key where it is to speak TLS
    public static void main(String[] args) throws IOException {
        Transport transport = Transports.open(args[0], TransportConfig.defaults());
        HttpServer server =
                new HttpServer(
                        StandstillServer::handle,
                        new WorkerPool(WorkerLimits.defaults()),
                        HttpServerConfig.defaults().withStrictSni(false),
                        null);
        ListenerConfig loopback =
                ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        ListenerConfig http =
                args.length < 3
                        ? loopback
                        : loopback.withTls(
                                TlsConfig.of(Path.of(args[1]), Path.of(args[2]))
                                        .withApplicationProtocols(List.of("h2", "http/1.1")));
        listener = server.listen(transport, http);
        System.out.println(((InetSocketAddress) listener.socket().address()).getPort());
        while (System.in.read() >= 0) {
            // waits for the end
        }
        System.exit(0);
    }

    private static void handle(Exchange exchange) throws IOException {
        String path = exchange.request().target().rawPath();
        if (path.equals("/runs")) {
            long open = listener.stats().read().connectionsOpen();
            String runs = String.join(" ", RUNS.stream().sorted().toList());
            TestHandlers.end(exchange, open + ": " + runs);
        } else if (path.startsWith("/dispatched")) {
            exchange.dispatch(TestHandlers.unchecked(() -> run(exchange, path)));
        } else {
            run(exchange, path);
        }
    }

    private static void run(Exchange exchange, String path) throws IOException {
        RUNS.add(path);
        TestHandlers.end(exchange, path);
    }
}
