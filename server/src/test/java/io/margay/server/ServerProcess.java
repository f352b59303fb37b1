package io.margay.server;

import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// A server as a program, for tests that need limits of a process; prints its port, ends with its
/// input.
final class ServerProcess {
    private ServerProcess() {}

    public static void main(String[] args) throws IOException {
        Transport transport = Transports.open(args[0], TransportConfig.defaults());
        HttpServer server =
                new HttpServer(TestHandlers::handle, new WorkerPool(WorkerLimits.defaults()));
        HttpServer.HttpListener listener =
                server.listen(
                        transport,
                        ListenerConfig.of(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        // Loads what logging needs, as the start-up line of the product does.
        System.getLogger("io.margay.server").log(System.Logger.Level.INFO, "listening");
        System.out.println(((InetSocketAddress) listener.socket().address()).getPort());
        while (System.in.read() >= 0) {
            System.gc();
            System.out.println(
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        System.exit(0);
    }
}
