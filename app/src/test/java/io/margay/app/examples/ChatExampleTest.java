package io.margay.app.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.TransportChoice;
import java.net.URI;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// `chat`: sessions that hear each other.
final class ChatExampleTest {
    /// What one person hears.
    private static final class Person implements WebSocket.Listener {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket from, CharSequence text, boolean last) {
            heard.add(text.toString());
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            heard.add("closed: " + status + " " + reason);
            return null;
        }

        String hear() throws InterruptedException {
            String line = heard.poll(20, TimeUnit.SECONDS);
            return line == null ? "nothing" : line;
        }
    }

    private static WebSocket enter(
            ExampleServer server, TransportChoice transport, String path, Person person) {
        URI page = server.request(transport, "/chat/room/" + path).build().uri();
        return server.client()
                .newWebSocketBuilder()
                .buildAsync(URI.create(page.toString().replaceFirst("http", "ws")), person)
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    @OnEveryTransport
    void people_hearEachOther_inTheirRoomOnly(TransportChoice transport, ExampleServer server)
            throws Exception {
        String room = "room%20" + transport;
        Person ann = new Person();
        Person bob = new Person();
        Person eve = new Person();
        WebSocket ofAnn = enter(server, transport, room + "/Ann", ann);
        assertEquals("* Ann has come in", ann.hear());
        WebSocket ofEve = enter(server, transport, "another/Eve", eve);
        assertEquals("* Eve has come in", eve.hear());
        WebSocket ofBob = enter(server, transport, room + "/Bob", bob);
        assertEquals("* Bob has come in", ann.hear());
        assertEquals("* Bob has come in", bob.hear());
        ofBob.sendText("héllo <b>", true).join();
        assertEquals("Bob: héllo <b>", ann.hear());
        assertEquals("Bob: héllo <b>", bob.hear());
        ofBob.abort();
        assertEquals("* Bob has left", ann.hear());
        ofEve.sendText("anyone?", true).join();
        assertEquals("Eve: anyone?", eve.hear());
        ofAnn.sendText("x".repeat(2001), true).join();
        assertTrue(ann.hear().startsWith("closed: 1009 "));
        ofEve.sendClose(1000, "").join();
        assertTrue(eve.hear().startsWith("closed: 1000"));
    }

    @OnEveryTransport
    void name_thatIsTooLong_isRefused(TransportChoice transport, ExampleServer server)
            throws Exception {
        Person person = new Person();
        WebSocket _ = enter(server, transport, "hall/" + "x".repeat(21), person);
        assertEquals("closed: 1008 a name has 1 to 20 characters", person.hear());
    }
}
