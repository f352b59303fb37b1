package io.margay.servlet.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.websocket.ClientEndpointConfig;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Session;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The WebSocket client of applications.
@Timeout(60)
class ClientSideTest {
    /// What listens to nothing.
    static final class Mute extends Endpoint {
        @Override
        public void onOpen(Session session, EndpointConfig config) {}
    }

    /// What an application sends to one host does not go to another that it is sent to.
    @Test
    void redirect_isNotFollowed_cve2026_42498() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ServerSocket first = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            AtomicInteger asked = new AtomicInteger();
            Thread.startVirtualThread(() -> answer(first, redirectTo(other), asked));
            AtomicInteger redirected = new AtomicInteger();
            Thread.startVirtualThread(() -> answer(other, redirectTo(other), redirected));
            URI uri = URI.create("ws://127.0.0.1:" + first.getLocalPort() + "/x");
            ClientSide client = new ClientSide(ClientSideTest.class.getClassLoader());
            assertThrows(
                    DeploymentException.class,
                    () ->
                            client.connectToServer(
                                    new Mute(),
                                    ClientEndpointConfig.Builder.create().build(),
                                    uri));
            assertEquals(1, asked.get());
            assertEquals(0, redirected.get());
        }
    }

    private static String redirectTo(ServerSocket other) {
        return "HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:"
                + other.getLocalPort()
                + "/y\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    }

    private static void answer(ServerSocket server, String answer, AtomicInteger asked) {
        while (true) {
            try (Socket socket = server.accept()) {
                asked.incrementAndGet();
                int inARow = 0;
                while (inARow < 4) {
                    int octet = socket.getInputStream().read();
                    inARow = octet == '\r' || octet == '\n' ? inARow + 1 : 0;
                    if (octet < 0) {
                        break;
                    }
                }
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                return;
            }
        }
    }
}
