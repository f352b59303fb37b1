package io.margay.server;

import io.margay.server.dispatch.Dispatcher;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Exchange;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/// A server in a process of its own, for [Http2AttackSoak]: says its port, then how much of its
/// heap is in use whenever it is asked by a line, and ends with its input.
final class AttackedServer {
    private static final byte[] MUCH = new byte[1_000_000];

    private AttackedServer() {}

    /// @param arguments the transport
    public static void main(String[] arguments) throws IOException {
        BufferedReader asked =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (Transport transport = Transports.open(arguments[0], TransportConfig.defaults());
                Dispatcher dispatcher = new WorkerPool(WorkerLimits.defaults());
                HttpServer server = new HttpServer(AttackedServer::handle, dispatcher)) {
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            InetSocketAddress bound =
                    (InetSocketAddress)
                            server.listen(transport, ListenerConfig.of(any)).socket().address();
            System.out.println(bound.getPort());
            while (asked.readLine() != null) {
                System.gc();
                Runtime runtime = Runtime.getRuntime();
                System.out.println(runtime.totalMemory() - runtime.freeMemory());
            }
        }
    }

    private static void handle(Exchange exchange) throws IOException {
        if (exchange.request().target().rawPath().equals("/much")) {
            exchange.dispatch(TestHandlers.unchecked(() -> exchange.end(MUCH, 0, MUCH.length)));
        } else {
            TestHandlers.handle(exchange);
        }
    }
}
