package hello;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.server.HttpServer;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

final class HelloTest {
    @Test
    void request_isGreeted() throws Exception {
        try (Transport transport = Transports.best(TransportConfig.defaults()).transport();
                HttpServer server = Hello.start(transport, 0);
                HttpClient client = HttpClient.newHttpClient()) {
            var at = (InetSocketAddress) server.listeners().getFirst().socket().address();
            URI uri = URI.create("http://127.0.0.1:" + at.getPort() + "/");
            var request = HttpRequest.newBuilder(uri).build();
            assertEquals("hello\n", client.send(request, BodyHandlers.ofString()).body());
        }
    }
}
