package io.margay.servlet.websocket;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The JDK's WebSocket client, with what it has heard in a queue. For one thread at a time.
final class WebSocketPeer implements WebSocket.Listener, AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final CompletableFuture<String> closed = new CompletableFuture<>();
    private final StringBuilder part = new StringBuilder();
    private int binary;
    private @Nullable WebSocket socket;

    /// Connects to `path` below the application.
    static WebSocketPeer connect(HttpClient client, URI base, String path, String... headers) {
        WebSocketPeer peer = new WebSocketPeer();
        WebSocket.Builder builder = client.newWebSocketBuilder().connectTimeout(PATIENCE);
        for (int i = 0; i < headers.length; i += 2) {
            if (headers[i].equals("Sec-WebSocket-Protocol")) {
                builder.subprotocols(headers[i + 1]);
            } else {
                builder.header(headers[i], headers[i + 1]);
            }
        }
        URI uri = URI.create(base.toString().replaceFirst("^http", "ws") + path);
        peer.socket = builder.buildAsync(uri, peer).orTimeout(20, TimeUnit.SECONDS).join();
        return peer;
    }

    WebSocket socket() {
        return Objects.requireNonNull(socket);
    }

    void send(String text) {
        socket().sendText(text, true).orTimeout(20, TimeUnit.SECONDS).join();
    }

    void send(byte[] bytes) {
        socket().sendBinary(ByteBuffer.wrap(bytes), true).orTimeout(20, TimeUnit.SECONDS).join();
    }

    /// The next message: a text as it is, and of others what they were.
    String hear() {
        try {
            String next = heard.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (next == null) {
                throw new AssertionError("nothing was heard");
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /// How the server has closed: code and reason.
    String awaitClose() {
        return closed.orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        part.append(data);
        if (last) {
            heard.add(part.toString());
            part.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        binary += data.remaining();
        if (last) {
            heard.add("binary " + binary);
            binary = 0;
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
        heard.add("pong " + message.remaining());
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
        closed.complete(status + " " + reason);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        closed.completeExceptionally(error);
    }

    @Override
    public void close() {
        socket().abort();
    }
}
