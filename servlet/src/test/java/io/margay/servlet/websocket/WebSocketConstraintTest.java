package io.margay.servlet.websocket;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.deploy.AppServer;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Security constraints of WebSocket endpoints.
class WebSocketConstraintTest {
    /// What endpoints at `/echo/{name}` and `/echo/{door}/{word}` could take for their own.
    private static final List<String> CLOSED =
            List.of(
                    "/ws/echo/x",
                    "/ws/echo/..",
                    "/ws/echo/../x",
                    "/ws/echo/./x",
                    "/ws/echo/x/..",
                    "/ws/echo/.",
                    "/ws/echo//x",
                    "/ws//echo/x",
                    "/ws/./echo/x",
                    "/ws/y/../echo/x",
                    "/ws/ech%6f/x",
                    "/ws/echo;a=b/x",
                    "/ws/echo/x;a=b",
                    "/ws/echo/%2e%2e",
                    "/ws/echo/x%2fy",
                    "/ws/../ws/echo/x");

    @Test
    void endpoint_behindAConstraint_isReachedByNoSpelling_cve2026_76183(@TempDir Path folder)
            throws IOException {
        Path work = folder.resolve("work");
        Path war = Endpoints.warWithAConstraint(folder);
        try (AppServer server =
                AppServer.start(war, "/ws", work, UnaryOperator.identity(), "nio")) {
            for (String path : CLOSED) {
                String answer = ask(server, path);
                assertFalse(answer.startsWith("HTTP/1.1 101"), path + ": " + answer);
            }
            assertTrue(ask(server, "/ws/room").startsWith("HTTP/1.1 101"), "others are open");
            assertTrue(ask(server, "/ws/y/..//room").startsWith("HTTP/1.1 101"));
        }
    }

    /// The status line of the answer to a handshake.
    private static String ask(AppServer server, String path) throws IOException {
        try (RawHttpClient raw =
                RawHttpClient.connect(new InetSocketAddress("127.0.0.1", server.uri().getPort()))) {
            raw.send(
                    "GET "
                            + path
                            + " HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
                            + "Connection: Upgrade\r\n"
                            + "Sec-WebSocket-Version: 13\r\n"
                            + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
            return raw.line();
        }
    }
}
