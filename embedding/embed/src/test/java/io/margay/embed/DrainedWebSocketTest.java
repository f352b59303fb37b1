package io.margay.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// WebSocket sessions while a server drains: they would go on for as long as clients like.
final class DrainedWebSocketTest {
    private static final int GOING_AWAY = 1001;

    /// Returns what it hears.
    @ServerEndpoint("/echo")
    public static final class Echo {
        @OnMessage
        public String hear(String text) {
            return text;
        }
    }

    /// A client that tells how its session ended.
    private static final class Peer implements WebSocket.Listener {
        private final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private final CompletableFuture<String> heard = new CompletableFuture<>();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
            heard.complete(text.toString());
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            closed.complete(code);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            closed.completeExceptionally(error);
        }
    }

    private static Peer connect(HttpClient client, EmbeddedServer server) throws Exception {
        Peer peer = new Peer();
        URI uri = URI.create("ws://127.0.0.1:" + server.port() + "/echo");
        WebSocket socket = client.newWebSocketBuilder().buildAsync(uri, peer).get();
        socket.sendText("there", true);
        assertEquals("there", peer.heard.get());
        return peer;
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void drain_endsWebSocketSessions_andAServerStartedAgainTakesNewOnes(String transport)
            throws Exception {
        try (HttpClient client = HttpClient.newHttpClient();
                EmbeddedServer server =
                        Margay.builder()
                                .http(0)
                                .transport(transport)
                                .context(WebContext.at("/").webSockets(Echo.class))
                                .start()) {
            Peer peer = connect(client, server);
            assertTrue(server.drain(Duration.ofSeconds(60)), "the session kept it up");
            assertEquals(GOING_AWAY, peer.closed.get());
            server.start();
            Peer other = connect(client, server);
            assertTrue(server.drain(Duration.ofSeconds(60)));
            assertEquals(GOING_AWAY, other.closed.get());
        }
    }
}
