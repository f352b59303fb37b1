package io.margay.frameworks.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// CDI containers that applications bring: what the servlet container makes gets its beans.
final class CdiTest {
    private static final String ENDED = "margay.frameworks.greeter";
    private static final String ENDS = "margay.frameworks.ends";

    @TempDir private Path work;

    @ParameterizedTest
    @ValueSource(strings = {"weld", "openwebbeans"})
    void servletFilterListenerAndEndpoint_haveTheirBeans(String container) throws Exception {
        System.clearProperty(ENDED);
        try (Served app = Served.start(container, work)) {
            for (int round = 0; round < 2; round++) {
                assertEquals("hello ada 1 true true false", app.get("/greet?name=ada").body());
            }
            assertEquals(403, app.get("/greet?name=mallory").statusCode());
            assertEquals("1", app.get("/names").body());
            assertEquals("ada true there", talk(app, "ada"));
            assertEquals("mallory false there", talk(app, "mallory"));
            assertNull(System.getProperty(ENDED));
        }
        assertEquals("destroyed", System.getProperty(ENDED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"weld", "openwebbeans"})
    void endpointAndTag_endWithTheirBeans_whenTheyAreNotUsedAnyMore(String container)
            throws Exception {
        BlockingQueue<String> ends = new LinkedBlockingQueue<>();
        System.getProperties().put(ENDS, ends);
        try (Served app = Served.start(container, work)) {
            assertEquals("there", app.get("/word.jsp").body().strip());
            assertEquals("tag", ends.poll(10, TimeUnit.SECONDS));
            assertEquals("bean", ends.poll(10, TimeUnit.SECONDS));
            assertEquals("ada true there", talk(app, "ada"));
            assertEquals("endpoint", ends.poll(10, TimeUnit.SECONDS));
            assertEquals("bean", ends.poll(10, TimeUnit.SECONDS));
        } finally {
            System.getProperties().remove(ENDS);
        }
        assertNull(ends.poll());
    }

    private static String talk(Served app, String said) throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri =
                    URI.create(app.request("/talk").build().uri().toString().replace("http", "ws"));
            WebSocket socket =
                    client.newWebSocketBuilder()
                            .buildAsync(uri, new Listening(heard))
                            .get(10, TimeUnit.SECONDS);
            socket.sendText(said, true);
            String answer = heard.get(10, TimeUnit.SECONDS);
            socket.abort();
            return answer;
        }
    }

    /// Hands on the first message.
    private record Listening(CompletableFuture<String> heard) implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
            heard.complete(text.toString());
            return null;
        }
    }
}
