package io.margay.protocol.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The texts of hosts that one decoder has read for several connections.
class KnownHostsTest {
    private final Http1RequestDecoder decoder =
            new Http1RequestDecoder(Http1Limits.defaults(), false);

    private String authority(String host) {
        decoder.reset();
        byte[] bytes =
                ("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1);
        assertEquals(Http1RequestDecoder.Result.HEAD, decoder.decode(bytes, 0, bytes.length));
        return String.valueOf(decoder.head().target().authority());
    }

    @Test
    void hosts_thatAlternate_areNotMadeAnew() {
        String one = authority("a.example");
        String other = authority("b.example");
        assertSame(one, authority("a.example"));
        assertSame(other, authority("b.example"));
    }

    /// First and last byte, the one in the middle and the length are the same.
    @Test
    void hosts_thatAreRememberedInOnePlace_areToldApart() {
        for (String host : List.of("axxbyyc", "ayybxxc", "axybxyc", "axxbyyc")) {
            assertEquals(host, authority(host));
        }
    }

    @Test
    void host_beyondTheLengthThatIsRemembered_isRead() {
        String host = "a".repeat(260);
        assertEquals(host, authority(host));
        assertEquals(host, authority(host));
    }
}
