package io.margay.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.server.exchange.Exchange;
import io.margay.testkit.Eventually;
import io.margay.testkit.LoggedLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
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

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void handler_thatHoldsALoopUp_isLoggedWithItsRequest(String transport) throws Exception {
        String text = "SEVERE the handler of /slow/* has held up its loop for 2 s with GET /slow/7";
        try (LoggedLines log = LoggedLines.of("io.margay.embed");
                EmbeddedServer server =
                        Margay.builder()
                                .http(0)
                                .transport(transport)
                                .handler(
                                        "/slow/*",
                                        exchange -> {
                                            Eventually.comes(
                                                    Duration.ofSeconds(60),
                                                    () -> log.count(text) > 0);
                                            exchange.end(new byte[0], 0, 0);
                                        })
                                .start();
                HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + "/slow/7?secret=1");
            HttpRequest request = HttpRequest.newBuilder(uri).build();
            assertEquals(200, client.send(request, BodyHandlers.discarding()).statusCode());
            assertEquals(1, log.count(text), log.toString());
            assertEquals(1, log.traces());
            assertEquals(0, log.count("secret"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void requestThatNobodyAnswers_isLogged_andOneThatATaskWorksOnIsNot(String transport)
            throws Exception {
        String text = " returned 2 s ago without a response to GET /lost";
        CountDownLatch told = new CountDownLatch(1);
        List<Exchange> lost = new CopyOnWriteArrayList<>();
        try (LoggedLines log = LoggedLines.of("io.margay.embed");
                EmbeddedServer server =
                        Margay.builder()
                                .http(0)
                                .transport(transport)
                                .handler("/lost", lost::add)
                                .handler(
                                        "/worked",
                                        exchange -> exchange.dispatch(() -> end(exchange, told)))
                                .start();
                HttpClient client = HttpClient.newHttpClient()) {
            String at = "http://127.0.0.1:" + server.port();
            var worked =
                    client.sendAsync(
                            HttpRequest.newBuilder(URI.create(at + "/worked")).build(),
                            BodyHandlers.discarding());
            var answer =
                    client.sendAsync(
                            HttpRequest.newBuilder(URI.create(at + "/lost")).build(),
                            BodyHandlers.discarding());
            Eventually.holds("the line", Duration.ofSeconds(60), () -> log.count(text) > 0);
            told.countDown();
            lost.getFirst().end(new byte[0], 0, 0);
            assertEquals(200, answer.get().statusCode());
            assertEquals(200, worked.get().statusCode());
            assertEquals(0, log.count("/worked"), log.toString());
        }
    }

    private static void end(Exchange exchange, CountDownLatch told) {
        try {
            told.await();
            exchange.end(new byte[0], 0, 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
