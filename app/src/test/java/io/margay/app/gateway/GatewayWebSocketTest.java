package io.margay.app.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.Pem;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// WebSocket from a client through the gateway to the example `chat`: in clear text and over TLS,
/// on either side, by HTTP/1.1 and HTTP/2; and not by AJP13.
final class GatewayWebSocketTest {
    private static final long SECONDS_MAX = 20;

    @TempDir Path folder;

    /// What one person hears.
    private static final class Person implements WebSocket.Listener {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final StringBuilder text = new StringBuilder();

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
        public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            heard.add("closed: " + status);
            return null;
        }

        String hear() throws InterruptedException {
            String line = heard.poll(SECONDS_MAX, TimeUnit.SECONDS);
            return line == null ? "nothing" : line;
        }
    }

    private MargayServer server(String name, String text) throws IOException {
        Path file = folder.resolve(name + ".yaml");
        Files.writeString(file, text);
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private static void talk(HttpClient client, String url, String name) throws Exception {
        Person person = new Person();
        WebSocket socket =
                client.newWebSocketBuilder()
                        .buildAsync(URI.create(url + "/chat/room/" + name + "/Ann"), person)
                        .orTimeout(SECONDS_MAX, TimeUnit.SECONDS)
                        .join();
        assertEquals("* Ann has come in", person.hear());
        for (String text : new String[] {"hello", "Grüße, 猫", "x".repeat(1900)}) {
            socket.sendText(text, true).join();
            assertEquals("Ann: " + text, person.hear());
        }
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        assertEquals("closed: 1000", person.hear());
    }

    @Test
    void webSocket_throughTheGateway_isPassedOnByHttp_andRefusedByAjp() throws Exception {
        Path chat =
                Path.of(System.getProperty("margay.root", ".."), "examples/target/webapps/chat");
        Pem pem = Pem.make(folder, "one");
        String https = "{https: 127.0.0.1:0, certificates: [{cert: one.pem, key: one.key}]}";
        try (MargayServer back =
                        server(
                                "back",
                                """
                                listeners:
                                  - {http: 127.0.0.1:0}
                                  - %s
                                  - {ajp: 127.0.0.1:0, secret: s3cret}
                                hosts: [{routes: {/chat: {app: %s}}}]
                                work: work-back
                                """
                                        .formatted(https, chat.toAbsolutePath()));
                MargayServer front =
                        server(
                                "front",
                                """
                                listeners: [{http: 127.0.0.1:0}, %s]
                                hosts:
                                  - name: localhost
                                    routes: {/: {gateway: by-http}}
                                  - name: tls.example
                                    routes: {/: {gateway: by-https}}
                                  - name: ajp.example
                                    routes: {/: {gateway: by-ajp}}
                                  - routes: {/: {gateway: by-https}}
                                upstreams:
                                  by-http: {members: [{url: "http://127.0.0.1:%d"}]}
                                  by-https:
                                    members: [{url: "https://127.0.0.1:%d", verify: false}]
                                  by-ajp:
                                    members: [{url: "ajp://127.0.0.1:%d", secret: s3cret}]
                                work: work-front
                                """
                                        .formatted(
                                                https,
                                                back.ports().get(0),
                                                back.ports().get(1),
                                                back.ports().get(2)));
                MargayServer next =
                        server(
                                "next",
                                """
                                listeners: [{http: 127.0.0.1:0}]
                                hosts: [{routes: {/: {gateway: by-h2}}}]
                                upstreams:
                                  by-h2: {members: [{url: "h2://127.0.0.1:%d", verify: false}]}
                                work: work-next
                                """
                                        .formatted(back.ports().get(1)));
                HttpClient client = HttpClient.newBuilder().sslContext(pem.trusting()).build()) {
            int plain = front.ports().getFirst();
            talk(client, "ws://localhost:" + plain, "a");
            talk(client, "wss://localhost:" + front.ports().getLast(), "b");
            talk(client, "ws://127.0.0.1:" + plain, "c");
            talk(client, "ws://127.0.0.1:" + next.ports().getFirst(), "d");
            refused(plain);
        }
    }

    private static void refused(int port) throws IOException {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient raw = RawHttpClient.connect(at)) {
            raw.send(
                    "GET /chat/room/a/Bob HTTP/1.1\r\nHost: ajp.example\r\nUpgrade: websocket\r\n"
                            + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
            RawHttpClient.Response response = raw.response();
            assertEquals(501, response.status());
            assertTrue(response.text().contains("WebSocket needs"), response.text());
            assertEquals(
                    200,
                    raw.send("GET /chat/ HTTP/1.1\r\nHost: ajp.example\r\n\r\n")
                            .response()
                            .status());
        }
    }
}
