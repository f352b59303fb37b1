package io.margay.protocol.http1;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.HttpDate;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class Http1EncoderTest {
    private static final int AHEAD = 7;

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static String response(
            int status, FieldList fields, long framing, boolean close, byte[] date) {
        byte[] target = new byte[1000];
        int end =
                Http1ResponseEncoder.encodeHead(
                        target, AHEAD, status, fields, framing, close, date);
        // It fits exactly, and not into one byte less.
        byte[] exact = new byte[end];
        assertEquals(
                end,
                Http1ResponseEncoder.encodeHead(
                        exact, AHEAD, status, fields, framing, close, date));
        for (int size = AHEAD; size < end; size++) {
            assertEquals(
                    Http1ResponseEncoder.FULL,
                    Http1ResponseEncoder.encodeHead(
                            new byte[size], AHEAD, status, fields, framing, close, date));
        }
        assertEquals(text(target, AHEAD, end), text(exact, AHEAD, end));
        return text(target, AHEAD, end);
    }

    @Test
    void responseHead_ofKnownLength_hasContentLength() {
        FieldList fields =
                new FieldList().add("Content-Type", "text/plain").add("X", "gr\u00fc\u00df");
        assertEquals(
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX: gr\u00fc\u00df\r\n"
                        + "Content-Length: 1234567890123\r\n\r\n",
                response(200, fields, 1234567890123L, false, null));
    }

    @Test
    void responseHead_ofLengthZero_saysSo() {
        assertEquals(
                "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
                response(404, new FieldList(), 0, false, null));
    }

    @Test
    void responseHead_chunkedAndClosing_saysBoth() {
        assertEquals(
                "HTTP/1.1 500 Internal Server Error\r\nTransfer-Encoding: chunked\r\n"
                        + "Connection: close\r\n\r\n",
                response(500, new FieldList(), Http1ResponseEncoder.CHUNKED, true, null));
    }

    @Test
    void responseHead_withoutFraming_saysNothingAboutContent() {
        assertEquals(
                "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n",
                response(
                        304,
                        new FieldList().add("ETag", "\"a\""),
                        Http1ResponseEncoder.NONE,
                        false,
                        null));
    }

    @Test
    void responseHead_statusWithoutReason_keepsTheSpace() {
        assertEquals(
                "HTTP/1.1 299 \r\n\r\n",
                response(299, new FieldList(), Http1ResponseEncoder.NONE, false, null));
    }

    @Test
    void responseHead_framingFieldsOfTheApplication_areLeftOut() {
        FieldList fields =
                new FieldList()
                        .add("content-length", "7")
                        .add("Transfer-Encoding", "x")
                        .add("A", "");
        assertEquals(
                "HTTP/1.1 200 OK\r\nA: \r\nContent-Length: 5\r\n\r\n",
                response(200, fields, 5, false, null));
    }

    @Test
    void responseHead_dateLine_isWrittenOnce() {
        byte[] line = HttpDate.line(784_111_777);
        assertEquals(
                "HTTP/1.1 204 No Content\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n",
                response(204, new FieldList(), Http1ResponseEncoder.NONE, false, line));
        assertEquals(
                "HTTP/1.1 204 No Content\r\nDATE: x\r\n\r\n",
                response(
                        204,
                        new FieldList().add("DATE", "x"),
                        Http1ResponseEncoder.NONE,
                        false,
                        line));
    }

    @Test
    void responseHead_statusOutOfRange_isRefused() {
        for (int status : List.of(0, 99, 1000, -1)) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> response(status, new FieldList(), 0, false, null));
        }
    }

    @Test
    void chunkHeader_ofEachSize_isHexadecimal() {
        for (int shift = 0; shift < 31; shift++) {
            for (int length : List.of(1 << shift, (1 << shift) + (1 << shift) - 1)) {
                byte[] target = new byte[3 + Http1ResponseEncoder.CHUNK_HEADER_BYTES_MAX];
                int end = Http1ResponseEncoder.encodeChunkHeader(target, 3, length);
                assertEquals(Integer.toHexString(length) + "\r\n", text(target, 3, end));
            }
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> Http1ResponseEncoder.encodeChunkHeader(new byte[20], 0, 0));
    }

    @Test
    void trailers_areWrittenAfterTheLastChunk() {
        byte[] target = new byte[100];
        FieldList trailers = new FieldList().add("Digest", "x").add("Content-Length", "5");
        int end = Http1ResponseEncoder.encodeTrailers(target, 0, trailers);
        assertEquals("0\r\nDigest: x\r\n\r\n", text(target, 0, end));
        for (int size = 0; size < end; size++) {
            assertEquals(-1, Http1ResponseEncoder.encodeTrailers(new byte[size], 0, trailers));
        }
        end = Http1ResponseEncoder.encodeTrailers(target, 0, new FieldList());
        assertArrayEquals(Http1ResponseEncoder.LAST_CHUNK, Arrays.copyOf(target, end));
    }

    @Test
    void requestHead_isWritten() {
        FieldList fields = new FieldList().add("Host", "a").add("Content-Length", "9");
        byte[] target = new byte[100];
        int end = Http1RequestEncoder.encodeHead(target, AHEAD, "POST", "/b?c", fields, 5, true);
        assertEquals(
                "POST /b?c HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nConnection: close\r\n\r\n",
                text(target, AHEAD, end));
        for (int size = AHEAD; size < end; size++) {
            assertEquals(
                    Http1RequestEncoder.FULL,
                    Http1RequestEncoder.encodeHead(
                            new byte[size], AHEAD, "POST", "/b?c", fields, 5, true));
        }
    }

    @Test
    void requestHead_thatCouldBeSplit_isRefused() {
        FieldList fields = new FieldList().add("Host", "a");
        byte[] target = new byte[100];
        for (String method : List.of("", "G T", "GET\r\n", "G\u00c9T")) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Http1RequestEncoder.encodeHead(target, 0, method, "/", fields, 0, false));
        }
        for (String path : List.of("", "/ HTTP/1.1\r\n", "/a b", "/\u00e4", "/\0", "/\u0120")) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Http1RequestEncoder.encodeHead(target, 0, "GET", path, fields, 0, false));
        }
    }

    @Test
    void requestHead_withoutExactlyOneHost_isRefused() {
        for (FieldList fields :
                List.of(new FieldList(), new FieldList().add("Host", "a").add("host", "b"))) {
            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                            Http1RequestEncoder.encodeHead(
                                    new byte[100], 0, "GET", "/", fields, 0, false));
        }
    }
}
