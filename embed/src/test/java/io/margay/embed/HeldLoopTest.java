package io.margay.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.Eventually;
import io.margay.testkit.LoggedLines;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
final class HeldLoopTest {
    private static final String TEXT = "SEVERE a handler has held up margay-";

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void handler_thatHoldsALoopUp_isLoggedWithItsStack(String transport) throws Exception {
        try (LoggedLines log = LoggedLines.of("io.margay.transport");
                EmbeddedServer server =
                        Margay.builder()
                                .http(0)
                                .transport(transport)
                                .handler(
                                        "/",
                                        exchange -> {
                                            waitForTheLine(log);
                                            exchange.end(new byte[0], 0, 0);
                                        })
                                .start();
                HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + "/");
            HttpRequest request = HttpRequest.newBuilder(uri).build();
            assertEquals(200, client.send(request, BodyHandlers.discarding()).statusCode());
            assertEquals(1, log.count(TEXT), log.toString());
            assertEquals(1, log.traces());
        }
    }

    private static void waitForTheLine(LoggedLines log) {
        Eventually.holds("the line", Duration.ofSeconds(60), () -> log.count(TEXT) > 0);
    }
}
