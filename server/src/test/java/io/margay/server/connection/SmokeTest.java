package io.margay.server.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.server.HttpServer;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Exchange;
import io.margay.testkit.RawHttpClient;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.blocking.BlockingTransport;
import io.margay.transport.nio.NioTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmokeTest {
    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void request_inlineAndDispatched_isAnswered(String name) throws Exception {
        TransportConfig config = TransportConfig.defaults();
        WorkerPool pool = new WorkerPool(WorkerLimits.defaults());
        try (Transport transport =
                        name.equals("nio")
                                ? new NioTransport(config)
                                : new BlockingTransport(config);
                HttpServer server = new HttpServer(SmokeTest::answer, pool)) {
            HttpServer.HttpListener listener =
                    server.listen(
                            transport,
                            ListenerConfig.of(
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            InetSocketAddress address = (InetSocketAddress) listener.socket().address();
            try (RawHttpClient client = RawHttpClient.connect(address)) {
                for (int i = 0; i < 3; i++) {
                    assertEquals("inline", client.get("/inline").text());
                    assertEquals("dispatched", client.get("/dispatched").text());
                    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
                    assertEquals("hello", client.response().text());
                }
            }
        } finally {
            pool.close();
        }
    }

    private static void answer(Exchange exchange) throws IOException {
        switch (exchange.request().target().rawPath()) {
            case "/inline" -> exchange.end("inline".getBytes(), 0, 6);
            case "/dispatched" -> exchange.dispatch(() -> end(exchange, "dispatched".getBytes()));
            default -> exchange.dispatch(() -> echo(exchange));
        }
    }

    private static void echo(Exchange exchange) {
        try {
            byte[] buffer = new byte[100];
            int count = exchange.read(buffer, 0, 100);
            exchange.end(buffer, 0, count);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void end(Exchange exchange, byte[] body) {
        try {
            exchange.end(body, 0, body.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
