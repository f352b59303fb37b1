package io.margay.servlet.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http2.Http2Stream;
import io.margay.server.exchange.MemoryBudget;
import io.margay.servlet.deploy.AppServer;
import io.margay.servlet.deploy.DeploySettings;
import io.margay.servlet.deploy.DeploymentException;
import io.margay.servlet.http.Http2Talk;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.UsersFile;
import io.margay.servlet.test.Until;
import io.margay.testkit.Archives;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// WebSocket endpoints in deployed applications, over every transport.
@Tag("slow")
class WebSocketTest {
    @TempDir private static Path folder;

    private static Path war;
    private static HttpClient client;

    @BeforeAll
    static void build() {
        war = Endpoints.war(folder);
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void close() {
        client.close();
    }

    private static AppServer start(String transport) {
        Path work = folder.resolve("work-" + transport);
        return AppServer.start(war, "/ws", work, UnaryOperator.identity(), transport);
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "nio", "blocking"})
    void messages_ofAnySize_comeBack(String transport) {
        try (AppServer server = start(transport);
                WebSocketPeer peer = WebSocketPeer.connect(client, server.uri(), "/echo/a")) {
            peer.send("hello");
            assertEquals("hello", peer.hear());
            peer.send("twice");
            assertEquals("one", peer.hear());
            assertEquals("two", peer.hear());
            peer.send(new byte[100_000]);
            assertEquals("binary 100000", peer.hear());
            String much = "0123456789".repeat(150_000);
            peer.send(much);
            assertEquals(much, peer.hear());
            peer.socket().sendPing(ByteBuffer.allocate(5)).join();
            assertEquals("pong 5", peer.hear());
            assertEquals("hello", server.get("/").body());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "nio", "blocking"})
    void session_isClosed_withCodeAndReason(String transport) {
        try (AppServer server = start(transport);
                WebSocketPeer closed = WebSocketPeer.connect(client, server.uri(), "/echo/a");
                WebSocketPeer idle = WebSocketPeer.connect(client, server.uri(), "/echo/a");
                WebSocketPeer left = WebSocketPeer.connect(client, server.uri(), "/echo/a");
                WebSocketPeer gone = WebSocketPeer.connect(client, server.uri(), "/echo/a")) {
            closed.send("close");
            assertEquals("4001 as asked", closed.awaitClose());
            gone.send("closed");
            assertEquals("4001 as asked", gone.hear());
            left.socket().sendClose(1000, "bye").join();
            assertEquals("1000 bye", left.awaitClose());
            gone.send("closed");
            assertEquals("1000 bye", gone.hear());
            idle.send("idle");
            assertEquals("idling", idle.hear());
            assertStarts("1000 ", idle.awaitClose());
            gone.send("closed");
            assertStarts("1006 ", gone.hear());
            gone.send("fail");
            assertEquals("error as asked", gone.hear());
            try (WebSocketPeer last = WebSocketPeer.connect(client, server.uri(), "/echo/a")) {
                last.socket().abort();
                gone.send("closed");
                assertStarts("1006 ", gone.hear());
            }
        }
    }

    /// Jetty closes with 1011 as well, Tomcat with 1000.
    @ParameterizedTest
    @ValueSource(strings = {"native", "nio", "blocking"})
    void endpoint_thatFailsInOnOpen_closesTheSessionWith1011(String transport) {
        try (AppServer server = start(transport);
                WebSocketPeer echo = WebSocketPeer.connect(client, server.uri(), "/echo/a");
                WebSocketPeer peer = WebSocketPeer.connect(client, server.uri(), "/failing")) {
            assertStarts("1011 ", peer.awaitClose());
            echo.send("closed");
            assertEquals("open true", echo.hear());
            echo.send("closed");
            assertEquals("1011", echo.hear());
        }
    }

    private static int handshake(AppServer server, String path, String... keys) throws IOException {
        try (RawHttpClient raw =
                RawHttpClient.connect(
                        new InetSocketAddress("127.0.0.1", server.uri().getPort()), 8192)) {
            StringBuilder fields = new StringBuilder();
            for (String key : keys) {
                fields.append("Sec-WebSocket-Key: ").append(key).append("\r\n");
            }
            raw.send(
                    "GET /ws"
                            + path
                            + " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                            + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                            + fields
                            + "\r\n");
            return raw.response().status();
        }
    }

    @Test
    void handshake_whoseKeyIsNot16Bytes_is400() throws IOException {
        String good = "dGhlIHNhbXBsZSBub25jZQ==";
        try (AppServer server = start("nio")) {
            for (String bad : List.of("abc", "dGhlIHNhbXBsZSBub25jZTE=", "====", "", good + "A")) {
                assertEquals(400, handshake(server, "/echo/a", bad), bad);
            }
            assertEquals(400, handshake(server, "/echo/a"), "no key");
            assertEquals(400, handshake(server, "/echo/a", good, good), "two keys");
            assertEquals(101, handshake(server, "/echo/a", good));
            assertEquals(404, handshake(server, "/nowhere", good), "no endpoint");
            assertEquals(404, handshake(server, "/nowhere"), "no endpoint, no key");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "nio", "blocking"})
    void message_fromAnotherThread_reachesAll(String transport) {
        try (AppServer server = start(transport);
                WebSocketPeer one = WebSocketPeer.connect(client, server.uri(), "/room");
                WebSocketPeer two = WebSocketPeer.connect(client, server.uri(), "/room")) {
            assertEquals("in", one.hear());
            assertEquals("in", two.hear());
            for (int i = 0; i < 200; i++) {
                one.send("m" + i);
            }
            List<String> heard = new java.util.ArrayList<>();
            for (int i = 0; i < 200; i++) {
                heard.add(two.hear());
                heard.remove(one.hear());
            }
            assertTrue(heard.size() <= 200, "each heard each message");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "nio", "blocking"})
    void application_thatStops_leavesWith1001(String transport) {
        WebSocketPeer peer;
        try (AppServer server = start(transport)) {
            peer = WebSocketPeer.connect(client, server.uri(), "/echo/a");
            peer.send("x");
            assertEquals("x", peer.hear());
            server.deployment().undeploy();
            assertStarts("1001 ", peer.awaitClose());
        }
        peer.close();
    }

    @Test
    void application_thatIsAboutToStop_letsSessionsGo_andAnswersPages() {
        try (AppServer server = start("nio");
                WebSocketPeer peer = WebSocketPeer.connect(client, server.uri(), "/echo/a")) {
            server.deployment().webApp().leave();
            assertStarts("1001 ", peer.awaitClose());
            assertEquals("hello", server.get("/").body());
            assertThrows(
                    CompletionException.class,
                    () -> WebSocketPeer.connect(client, server.uri(), "/echo/a"));
        }
    }

    private static void assertStarts(String expected, String actual) {
        assertTrue(actual.startsWith(expected), () -> actual + " instead of " + expected);
    }

    @Test
    void handshake_tellsWhatWasAskedFor() {
        try (AppServer server = start("nio");
                WebSocketPeer peer =
                        WebSocketPeer.connect(
                                client,
                                server.uri(),
                                "/echo/a%20b?q=1",
                                "Sec-WebSocket-Protocol",
                                "speech")) {
            peer.send("who");
            assertEquals("a b speech /ws/echo/a b q=1", peer.hear());
            String session = cookie(server.get("/by-hand/x"));
            try (WebSocketPeer known =
                            WebSocketPeer.connect(
                                    client, server.uri(), "/session", "Cookie", session);
                    WebSocketPeer unknown =
                            WebSocketPeer.connect(client, server.uri(), "/session")) {
                assertEquals("kept nobody", known.hear());
                assertEquals("none nobody", unknown.hear());
            }
        }
    }

    @Test
    void endpoint_addedByProgram_answers() {
        try (AppServer server = start("nio");
                WebSocketPeer listed = WebSocketPeer.connect(client, server.uri(), "/upper");
                WebSocketPeer byHand = WebSocketPeer.connect(client, server.uri(), "/by-hand/1");
                WebSocketPeer other =
                        WebSocketPeer.connect(client, server.uri(), "/by-hand/other")) {
            other.send("who");
            assertEquals("a b  /ws/echo/a b null", other.hear());
            listed.send("abc");
            assertEquals("ABC", listed.hear());
            byHand.send("abc");
            assertEquals("ABC", byHand.hear());
            assertThrows(
                    CompletionException.class,
                    () -> WebSocketPeer.connect(client, server.uri(), "/nowhere"));
        }
    }

    private static RawHttpClient raw(AppServer server, String... fields) throws IOException {
        RawHttpClient raw =
                RawHttpClient.connect(
                        new InetSocketAddress("127.0.0.1", server.uri().getPort()), 8192);
        raw.send(
                "GET /ws/echo/a HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                        + "Connection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                        + String.join("\r\n", fields)
                        + (fields.length == 0 ? "" : "\r\n")
                        + "\r\n");
        return raw;
    }

    /// Opcode, length and the first two bytes of content.
    private static String frame(RawHttpClient raw) throws IOException {
        int opcode = raw.read();
        int length = raw.read();
        return opcode + " " + length + " " + (raw.read() << 8 | raw.read());
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "nio", "blocking"})
    void frame_againstTheProtocol_endsTheSession(String transport) throws IOException {
        try (AppServer server = start(transport);
                RawHttpClient bare = raw(server);
                RawHttpClient tooLong = raw(server);
                RawHttpClient reserved = raw(server)) {
            RawHttpClient.Response answer = bare.response();
            assertEquals(101, answer.status());
            assertEquals("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", answer.field("Sec-WebSocket-Accept"));
            bare.send(new byte[] {(byte) 0x81, 1, 'a'});
            assertStarts("136 ", frame(bare));
            assertEquals(101, tooLong.response().status());
            tooLong.send(new byte[] {(byte) 0x82, (byte) 0xff, 0, 0, 0, 0, 0x7f, 0, 0, 0});
            assertTrue(frame(tooLong).endsWith(" 1009"));
            assertEquals(101, reserved.response().status());
            reserved.send(new byte[] {(byte) 0xf1, (byte) 0x80, 0, 0, 0, 0});
            assertTrue(frame(reserved).endsWith(" 1002"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "nio", "blocking"})
    void frame_forWhichThereIsNoMemory_endsTheSessionWith1013(String transport) throws IOException {
        MemoryBudget memory = new MemoryBudget(1 << 20);
        try (AppServer server =
                        AppServer.start(
                                war,
                                "/ws",
                                folder.resolve("work-full-" + transport),
                                settings -> settings.withWebApp(app -> app.withMemory(memory)),
                                transport);
                RawHttpClient raw = raw(server);
                RawHttpClient later = raw(server)) {
            assertEquals(101, raw.response().status());
            assertEquals(101, later.response().status());
            long rest = memory.bytesMax() - memory.held();
            assertTrue(memory.take(rest));
            byte[] begun = new byte[20_000];
            System.arraycopy(
                    new byte[] {(byte) 0x82, (byte) 0xfe, (byte) 0xea, 0x60}, 0, begun, 0, 4);
            raw.send(begun);
            assertTrue(frame(raw).endsWith(" 1013"));
            memory.give(rest);
            later.send(begun);
            later.send(new byte[8 + 60_000 - begun.length]);
            assertStarts("130 ", frame(later));
        }
        assertEquals(0, memory.held());
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "nio", "blocking"})
    void session_forWhichThereIsNoMemory_isRefused(String transport) throws IOException {
        MemoryBudget memory = new MemoryBudget(2L * WebSocketLimits.defaults().sessionBytes());
        try (AppServer server =
                AppServer.start(
                        war,
                        "/ws",
                        folder.resolve("work-many-" + transport),
                        settings -> settings.withWebApp(app -> app.withMemory(memory)),
                        transport)) {
            try (RawHttpClient one = raw(server)) {
                assertEquals(101, one.response().status());
                try (RawHttpClient two = raw(server)) {
                    assertEquals(101, two.response().status());
                    try (RawHttpClient three = raw(server)) {
                        RawHttpClient.Response refused = three.response();
                        assertEquals(503, refused.status());
                        assertEquals("1", refused.field("Retry-After"));
                    }
                }
            }
            Until.isTrue(() -> memory.held() < memory.bytesMax());
            try (RawHttpClient four = raw(server)) {
                assertEquals(101, four.response().status());
            }
        }
        assertEquals(0, memory.held());
    }

    @Test
    void handshake_thatIsNone_isRefused() throws IOException {
        try (AppServer server = start("nio");
                RawHttpClient old = raw(server, "Sec-WebSocket-Version: 7");
                RawHttpClient deflating =
                        raw(
                                server,
                                "Sec-WebSocket-Extensions: permessage-deflate;"
                                        + " server_max_window_bits=10, permessage-deflate;"
                                        + " client_max_window_bits")) {
            assertTrue(old.response().status() >= 400);
            assertEquals(
                    "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
                    deflating.response().field("Sec-WebSocket-Extensions"));
        }
    }

    /// Others go on while one does not read, and that one is broken off in the end.
    @ParameterizedTest
    @ValueSource(strings = {"native", "nio", "blocking"})
    void peer_thatTakesNothing_isLeft(String transport) throws IOException {
        try (AppServer server = start(transport);
                WebSocketPeer reader = WebSocketPeer.connect(client, server.uri(), "/room")) {
            assertEquals("in", reader.hear());
            try (RawHttpClient deaf =
                    RawHttpClient.connect(
                            new InetSocketAddress("127.0.0.1", server.uri().getPort()), 4096)) {
                deaf.send(
                        "GET /ws/room HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                                + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
                assertEquals(101, deaf.response().status());
                reader.send("flood 2000");
                for (int i = 0; i < 2000; i++) {
                    assertEquals(10_000, reader.hear().length());
                }
                assertEquals("flood 2000", reader.hear());
                reader.send("after");
                assertEquals("after", reader.hear());
            }
        }
    }

    @Test
    void sessionsOfAUser_endWithTheUsersHttpSession() {
        byte[] users =
                "<tomcat-users><user username='ada' password='secret' roles='a'/></tomcat-users>"
                        .getBytes(StandardCharsets.UTF_8);
        Realm realm = UsersFile.read("users", users);
        UnaryOperator<DeploySettings> change =
                settings -> settings.withWebApp(app -> app.withRealm(realm));
        Path work = folder.resolve("work-login");
        try (AppServer server = AppServer.start(war, "/ws", work, change)) {
            String first = cookie(server.get("/by-hand/x"));
            String session = cookie(server.get("/by-hand/login", "Cookie", first));
            try (WebSocketPeer known =
                            WebSocketPeer.connect(
                                    client, server.uri(), "/session", "Cookie", session);
                    WebSocketPeer unknown =
                            WebSocketPeer.connect(client, server.uri(), "/echo/a")) {
                assertEquals("kept ada", known.hear());
                assertEquals(200, server.get("/by-hand/leave", "Cookie", session).statusCode());
                assertStarts("1008 ", known.awaitClose());
                unknown.send("on");
                assertEquals("on", unknown.hear());
            }
        }
    }

    private static String cookie(HttpResponse<String> response) {
        String cookie = response.headers().firstValue("Set-Cookie").orElseThrow();
        return cookie.substring(0, cookie.indexOf(';'));
    }

    @Test
    void application_withAnImplementationOfItsOwn_runsOnTheContainers() {
        Path own = Endpoints.warWithTyrus(folder);
        try (AppServer server = AppServer.start(own, "/ws", folder.resolve("work-own"));
                WebSocketPeer peer = WebSocketPeer.connect(client, server.uri(), "/echo/a")) {
            peer.send("hello");
            assertEquals("hello", peer.hear());
            assertEquals("ASKED", server.get("/by-hand/client").body());
        }
    }

    /// What comes back fills the way to a peer that does not read; then no more is read from it.
    @ParameterizedTest
    @ValueSource(strings = {"native", "nio", "blocking"})
    void peer_thatOnlySends_isMadeToWait(String transport) throws Exception {
        int size = 60_000;
        byte[] frame = new byte[size + 8];
        frame[0] = (byte) 0x82;
        frame[1] = (byte) (0x80 | 126);
        frame[2] = (byte) (size >> 8);
        frame[3] = (byte) size;
        try (AppServer server = start(transport);
                RawHttpClient raw = raw(server)) {
            assertEquals(101, raw.response().status());
            AtomicInteger sent = new AtomicInteger();
            int count = 1000;
            Thread sender =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    for (int i = 0; i < count; i++) {
                                        raw.send(frame);
                                        sent.incrementAndGet();
                                    }
                                } catch (IOException e) {
                                    sent.set(-1);
                                }
                            });
            int before;
            do {
                before = sent.get();
            } while (!sender.join(Duration.ofMillis(300)) && sent.get() != before);
            assertTrue(before < count, "all " + count + " messages were taken from it");
            byte[] piece = new byte[100_000];
            long left = count * (size + 4L);
            while (left > 0) {
                int read = raw.read(piece, 0, piece.length);
                assertTrue(read > 0, "all came back");
                left -= read;
            }
            assertEquals(count, sent.get());
        }
    }

    @Test
    void client_ofAnApplication_reachesAnEndpoint() {
        try (AppServer server = start("nio")) {
            assertEquals("ASKED", server.get("/by-hand/client").body());
        }
    }

    @Test
    void application_thatWasUndeployed_isForgotten() {
        WeakReference<ClassLoader> loader = loaderOfAnUndeployedOne();
        Until.isTrue(() -> {
            System.gc();
            LockSupport.parkNanos(50_000_000L);
            return loader.refersTo(null);
        });
    }

    /// In a method of its own, so that nothing of it stays on the stack.
    private static WeakReference<ClassLoader> loaderOfAnUndeployedOne() {
        try (AppServer server = start("nio");
                WebSocketPeer peer = WebSocketPeer.connect(client, server.uri(), "/room");
                WebSocketPeer other = WebSocketPeer.connect(client, server.uri(), "/echo/a")) {
            assertEquals("in", peer.hear());
            other.send("idle");
            assertEquals("idling", other.hear());
            assertEquals("ASKED", server.get("/by-hand/client").body());
            return new WeakReference<>(server.deployment().webApp().context().getClassLoader());
        }
    }

    @Test
    void twoEndpoints_atOnePath_areRefusedByName() {
        String source =
                """
                @jakarta.websocket.server.ServerEndpoint("/same/{x}") public class %s {
                    @jakarta.websocket.OnMessage public void on(String text) {}
                }
                """;
        Path twice =
                Archives.in(folder)
                        .classes(
                                "WEB-INF/classes/",
                                List.of(),
                                "One",
                                source.formatted("One"),
                                "Two",
                                source.formatted("Two").replace("{x}", "{y}"))
                        .to(folder.resolve("twice.war"));
        DeploymentException e =
                assertThrows(
                        DeploymentException.class,
                        () -> AppServer.start(twice, "/twice", folder.resolve("work-twice")));
        assertTrue(String.valueOf(e.getMessage()).contains("/same/{"), e::getMessage);
    }

    /// RFC 8441: the handshake is an extended CONNECT, the frames are content of its stream.
    @ParameterizedTest
    @ValueSource(strings = {"native", "nio", "blocking"})
    void messages_overHttp2_comeBack(String transport) throws IOException {
        try (AppServer server = start(transport);
                Http2Talk talk =
                        new Http2Talk(
                                new InetSocketAddress(
                                        server.uri().getHost(), server.uri().getPort()))) {
            Http2Stream socket =
                    talk.request(
                            "CONNECT",
                            server.uri().getPath() + "/echo/a",
                            false,
                            ":protocol: websocket",
                            "sec-websocket-version: 13");
            // A text of five octets, masked with zeros.
            byte[] hello = {(byte) 0x81, (byte) 0x85, 0, 0, 0, 0, 'h', 'e', 'l', 'l', 'o'};
            talk.content(socket, hello, false);
            assertEquals("\u0081\u0005hello", talk.await(socket, 7).text());
            assertEquals(200, talk.on(socket).status());
            byte[] close = {(byte) 0x88, (byte) 0x82, 0, 0, 0, 0, 3, (byte) 0xe8};
            talk.content(socket, close, true);
            assertEquals("\u0088\u0002\u0003\u00e8", talk.end(socket).text().substring(7));
        }
    }
}
