import io.margay.server.HttpServer;
import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.server.exchange.Exchange;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TransportConfig;
import io.margay.transport.Transport;
import io.margay.transport.nativeio.EpollSockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/// The server's own part of a request alone: one handler that answers every path with a fixed page
/// of the heartbeat page's size, on the loop, without hosts, routes and container. What it does
/// beyond bench/c-epoll.c is HTTP as a server must speak it.
final class Plain {
    private static final byte[] PAGE =
            """
            <!DOCTYPE html>
            <html lang="en">
            <head><title>Heartbeat</title></head>
            <body>
            <h1>Heartbeat</h1>
            <p>Thu Jan 01 00:00:00 UTC 2026</p>
            </body>
            </html>
            """
                    .getBytes(StandardCharsets.ISO_8859_1);

    private Plain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        InetSocketAddress address =
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        Transport transport = EpollSockets.transport(TransportConfig.defaults());
        HttpServer server = new HttpServer(Plain::answer, new VirtualDispatcher(64));
        server.listen(transport, ListenerConfig.of(address));
        new CountDownLatch(1).await();
    }

    private static void answer(Exchange exchange) throws IOException {
        exchange.fields().add("Content-Type", "text/html;charset=UTF-8");
        exchange.end(PAGE, 0, PAGE.length);
    }
}
