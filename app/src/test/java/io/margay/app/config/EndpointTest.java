package io.margay.app.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class EndpointTest {
    @Test
    void text_withPortAlone_isLoopback() {
        assertEquals(new Endpoint("127.0.0.1", 8080), Endpoint.parse("8080"));
    }

    @Test
    void text_withAddress_isThatAddress() {
        assertEquals(new Endpoint("0.0.0.0", 80), Endpoint.parse("0.0.0.0:80"));
        assertEquals(new Endpoint("::1", 80), Endpoint.parse("[::1]:80"));
        assertEquals("[::1]:80", Endpoint.parse("[::1]:80").toString());
        assertEquals(new InetSocketAddress(80), Endpoint.parse("*:80").address());
    }

    @Test
    void text_withAPath_isAUnixSocket() {
        Endpoint socket = Endpoint.parse("unix:/run/web.sock");
        assertEquals(Endpoint.unix(Path.of("/run/web.sock")), socket);
        assertEquals("unix:/run/web.sock", socket.toString());
        assertTrue(socket.isLoopback());
        assertTrue(socket.meets(Endpoint.parse("unix:/run/web.sock")));
        assertFalse(socket.meets(Endpoint.parse("unix:/run/other.sock")));
        assertFalse(Endpoint.parse("0").meets(Endpoint.parse("0")));
        assertTrue(Endpoint.parse("80").meets(Endpoint.parse("*:80")));
    }

    @Test
    void text_thatIsNoEndpoint_isRefused() {
        for (String text :
                new String[] {
                    "", "x", "8080x", "+80", "-1", "65536", ":80", "::1:80", "a:", "1:2:3", "unix:",
                    "unix:a"
                }) {
            assertThrows(IllegalArgumentException.class, () -> Endpoint.parse(text), text);
        }
    }
}
