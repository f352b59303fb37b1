package io.margay.protocol.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.CutEverywhere;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Each limit, one below it and one above.
class Http1LimitsTest {
    private static final Http1Limits SMALL = new Http1Limits(64, 160, 3, 80, 8, 16, 2, -1);

    private static String last(String request) {
        List<String> events =
                CutEverywhere.replay(
                        request.getBytes(StandardCharsets.ISO_8859_1),
                        () -> new RequestReceiver(SMALL, false));
        return events.getLast();
    }

    private static String get(int targetLength, String fields) {
        String target = "/" + "a".repeat(targetLength - 1);
        return "GET " + target + " HTTP/1.1\r\n" + fields + "\r\n";
    }

    @Test
    void requestLine_atItsLimit_isRead() {
        assertEquals("end", last(get(64 - 13, "Host: a\r\n")));
    }

    @Test
    void requestLine_overItsLimit_is414() {
        assertEquals("error 414 RFC 9110 §15.5.15", last(get(64 - 12, "Host: a\r\n")));
        assertEquals("error 414 RFC 9110 §15.5.15", last("GET /" + "a".repeat(500)));
    }

    @Test
    void requestLine_withoutAnEnd_is414AsSoonAsItIsTooLong() {
        Http1RequestDecoder decoder = new Http1RequestDecoder(SMALL, false);
        byte[] line = ("GET /" + "a".repeat(61)).getBytes(StandardCharsets.ISO_8859_1);
        assertEquals(Http1RequestDecoder.Result.NEED_MORE, decoder.decode(line, 0, line.length));
        byte[] longer = ("GET /" + "a".repeat(62)).getBytes(StandardCharsets.ISO_8859_1);
        assertEquals(Http1RequestDecoder.Result.ERROR, decoder.decode(longer, 0, longer.length));
        assertEquals(414, decoder.error().status());
    }

    @Test
    void head_atItsLimit_isRead() {
        String first = "Host: a\r\nW: " + "w".repeat(60) + "\r\nX: ";
        String head = get(1, first + "\r\n");
        String filled = get(1, first + "y".repeat(160 - head.length()) + "\r\n");
        assertEquals(160, filled.length());
        assertEquals("end", last(filled));
    }

    @Test
    void head_overItsLimit_is431() {
        assertEquals(
                "error 431 RFC 6585 §5", last(get(1, "Host: a\r\nX: " + "y".repeat(200) + "\r\n")));
        String first = "Host: a\r\nW: " + "w".repeat(60) + "\r\nX: ";
        String head = get(1, first + "\r\n");
        assertEquals(
                "error 431 RFC 6585 §5",
                last(get(1, first + "y".repeat(161 - head.length()) + "\r\n")));
    }

    @Test
    void field_atItsLimit_isRead() {
        assertEquals("end", last(get(1, "Host: a\r\nX: " + "y".repeat(77) + "\r\n")));
    }

    @Test
    void field_overItsLimit_is431() {
        assertEquals(
                "error 431 RFC 6585 §5", last(get(1, "Host: a\r\nX: " + "y".repeat(78) + "\r\n")));
    }

    @Test
    void fields_atTheirLimit_areRead() {
        assertEquals("end", last(get(1, "Host: a\r\nX: y\r\nX: y\r\n")));
    }

    @Test
    void fields_overTheirLimit_are431() {
        assertEquals("error 431 RFC 6585 §5", last(get(1, "Host: a\r\nX: y\r\nX: y\r\nX: y\r\n")));
    }

    @Test
    void trailers_atTheirLimits_areRead() {
        String head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n";
        assertEquals("end", last(head + "A: b\r\nC: d\r\n\r\n"));
        assertEquals("end", last(head + "A: 012345678\r\n\r\n"));
    }

    @Test
    void trailers_overTheirLimits_are400() {
        String head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n";
        assertEquals("error 400 RFC 9112 §7.1.2", last(head + "A:\r\nB:\r\nC:\r\n\r\n"));
        assertEquals("error 400 RFC 9112 §7.1.2", last(head + "A: 0123456789\r\n\r\n"));
    }

    @Test
    void limits_thatMakeNoSense_areRefused() {
        assertThrows(
                IllegalArgumentException.class, () -> new Http1Limits(64, 63, 3, 0, 8, 16, 2, -1));
        assertThrows(
                IllegalArgumentException.class, () -> new Http1Limits(64, 64, 0, 0, 8, 16, 2, -1));
        assertThrows(
                IllegalArgumentException.class, () -> new Http1Limits(64, 64, 3, 0, 8, 16, 2, -2));
        assertTrue(Http1Limits.defaults().headBytesMax() > 8192);
    }
}
