package io.margay.app.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
        assertTrue(Endpoint.parse("*:80").address().getAddress().isAnyLocalAddress());
    }

    @Test
    void text_thatIsNoEndpoint_isRefused() {
        for (String text :
                new String[] {
                    "", "x", "8080x", "+80", "-1", "65536", ":80", "::1:80", "a:", "1:2:3"
                }) {
            assertThrows(IllegalArgumentException.class, () -> Endpoint.parse(text), text);
        }
    }
}
