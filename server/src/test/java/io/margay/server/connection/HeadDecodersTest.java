package io.margay.server.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http1.Http1Limits;
import io.margay.protocol.http1.Http1RequestDecoder;
import io.margay.protocol.http1.Http1RequestDecoder.Result;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Who gets which decoder, and what it still knows.
class HeadDecodersTest {
    private static final byte[] HEAD =
            "GET /a HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final HeadDecoders decoders =
            new HeadDecoders(Http1Limits.defaults(), RequestTarget.Characters.STRICT);

    @Test
    void decoder_givenBack_servesTheNextAnew() {
        Http1RequestDecoder first = decoders.lease(false);
        assertEquals(Result.HEAD, first.decode(HEAD, 0, HEAD.length));
        decoders.release(first);
        Http1RequestDecoder next = decoders.lease(false);
        assertSame(first, next);
        assertEquals(Result.NEED_MORE, next.decode(HEAD, 0, 4));
        assertEquals(Result.HEAD, next.decode(HEAD, 0, HEAD.length));
        assertEquals("http", next.head().target().scheme());
    }

    @Test
    void decoder_inTheMiddleOfAHead_isNobodyElses() {
        Http1RequestDecoder slow = decoders.lease(false);
        assertEquals(Result.NEED_MORE, slow.decode(HEAD, 0, 7));
        Http1RequestDecoder other = decoders.lease(false);
        assertNotSame(slow, other);
        assertEquals(Result.HEAD, other.decode(HEAD, 0, HEAD.length));
        assertEquals(Result.HEAD, slow.decode(HEAD, 0, HEAD.length));
    }

    @Test
    void decoder_ofEncryptedConnections_servesNoOthers() {
        Http1RequestDecoder secure = decoders.lease(true);
        decoders.release(secure);
        assertNotSame(secure, decoders.lease(false));
        Http1RequestDecoder again = decoders.lease(true);
        assertSame(secure, again);
        assertEquals(Result.HEAD, again.decode(HEAD, 0, HEAD.length));
        assertEquals("https", again.head().target().scheme());
    }
}
