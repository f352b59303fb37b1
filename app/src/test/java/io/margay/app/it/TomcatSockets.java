package io.margay.app.it;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What the WebSocket endpoints of Tomcat's example application say, by the JDK's client. Confined
/// to the thread of the test.
final class TomcatSockets {
    private static final int SECONDS_MAX = 30;

    private final HttpClient client;
    private final int port;

    private TomcatSockets(HttpClient client, int port) {
        this.client = client;
        this.port = port;
    }

    /// What each endpoint says to a client that always does the same.
    static Map<String, List<String>> talk(int port) throws InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            TomcatSockets sockets = new TomcatSockets(client, port);
            Map<String, List<String>> said = new TreeMap<>();
            for (String name :
                    List.of("echoProgrammatic", "echoAnnotation", "echoStreamAnnotation")) {
                said.put(name, sockets.echo(name));
            }
            said.put("chat", sockets.chat());
            said.put("snake", sockets.snake());
            said.put("drawboard", sockets.drawboard());
            return said;
        }
    }

    /// One session and what it has heard: texts as they are, of binary messages the length.
    private static final class Session implements WebSocket.Listener {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final StringBuilder text = new StringBuilder();
        private int bytes;

        String hear() throws InterruptedException {
            String next = heard.poll(SECONDS_MAX, TimeUnit.SECONDS);
            return next == null ? "nothing in " + SECONDS_MAX + " s" : next;
        }

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                heard.add(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onBinary(
                WebSocket from, ByteBuffer part, boolean last) {
            bytes += part.remaining();
            if (last) {
                heard.add(bytes + " bytes");
                bytes = 0;
            }
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
            heard.add("pong of " + message.remaining());
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            heard.add("closed with " + status + " " + reason);
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            heard.add("failed: " + error);
        }
    }

    private WebSocket open(String name, Session session) {
        URI uri = URI.create("ws://127.0.0.1:" + port + "/examples/websocket/" + name);
        return client.newWebSocketBuilder()
                .buildAsync(uri, session)
                .orTimeout(SECONDS_MAX, TimeUnit.SECONDS)
                .join();
    }

    private static void send(WebSocket socket, String text) {
        socket.sendText(text, true).orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
    }

    private List<String> echo(String name) throws InterruptedException {
        Session session = new Session();
        WebSocket socket = open(name, session);
        List<String> said = new ArrayList<>();
        send(socket, "hello");
        said.add(session.hear());
        send(socket, "Grüße, 猫");
        said.add(session.hear());
        socket.sendText("in ", false).join();
        send(socket, "two parts");
        said.add(session.hear());
        socket.sendBinary(ByteBuffer.allocate(5000), true).join();
        said.add(session.hear());
        socket.sendPing(ByteBuffer.allocate(7)).join();
        said.add(session.hear());
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "bye").join();
        said.add(session.hear());
        return said;
    }

    private List<String> chat() throws InterruptedException {
        Session one = new Session();
        Session two = new Session();
        List<String> said = new ArrayList<>();
        WebSocket first = open("chat", one);
        said.add(one.hear());
        WebSocket second = open("chat", two);
        said.add(one.hear());
        said.add(two.hear());
        send(second, "<b>hello</b>");
        said.add(one.hear());
        said.add(two.hear());
        second.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        said.add(two.hear());
        said.add(one.hear());
        first.abort();
        return said;
    }

    /// A snake moves at random, ten times a second.
    private List<String> snake() throws InterruptedException {
        Session session = new Session();
        WebSocket socket = open("snake", session);
        List<String> said = new ArrayList<>();
        said.add(session.hear().replaceAll("\"#[0-9a-f]+\"", "COLOR"));
        send(socket, "north");
        String moved = session.hear();
        said.add(moved.replaceAll("[0-9]+", "N").replaceAll("(, *)?\\{\"x\": N, \"y\": N\\}", "."));
        send(socket, "ping");
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        String last = session.hear();
        while (last.startsWith("{")) {
            last = session.hear();
        }
        said.add(last);
        return said;
    }

    /// The picture comes when one joins; a stroke is sent to all.
    private List<String> drawboard() throws InterruptedException {
        Session session = new Session();
        WebSocket socket = open("drawboard", session);
        List<String> said = new ArrayList<>();
        said.add(session.hear());
        said.add(session.hear().replaceAll("[0-9]+ bytes", "a picture"));
        send(socket, "11|1,200,0,0,255,2.0,10,10,20,20");
        said.add(session.hear());
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        said.add(session.hear());
        return said;
    }
}
