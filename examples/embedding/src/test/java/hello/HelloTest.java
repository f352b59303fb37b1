package hello;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

final class HelloTest {
    @Test
    void request_isGreeted() throws Exception {
        try (var server = Hello.start(0);
                var client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + "/");
            var request = HttpRequest.newBuilder(uri).build();
            assertEquals("hello\n", client.send(request, BodyHandlers.ofString()).body());
        }
    }
}
