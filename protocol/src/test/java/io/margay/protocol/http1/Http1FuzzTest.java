package io.margay.protocol.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.ResponseHead;
import io.margay.testkit.CutEverywhere;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;

/// Fuzz targets for the HTTP/1 decoders. In a normal build the inputs beside this class are
/// replayed; with `JAZZER_FUZZ=1` the fuzzer looks for new ones.
@Tag("slow")
class Http1FuzzTest {
    private static final Http1Limits LIMITS = Http1Limits.defaults();

    @FuzzTest
    void requestDecoder(byte[] input) {
        assertSameInHalves(input, () -> new RequestReceiver());
        Http1RequestDecoder decoder = new Http1RequestDecoder(LIMITS, false);
        if (decoder.decode(input, 0, input.length) == Http1RequestDecoder.Result.HEAD) {
            RequestHead head = decoder.head();
            assertClean(head.fields());
            assertTrue(decoder.headEnd() <= input.length);
            assertEquals('\n', input[decoder.headEnd() - 1]);
            assertFalse(head.target().raw().chars().anyMatch(c -> c <= ' ' || c >= 127));
            if (head.fields().contains("host")) {
                assertEncodesEqually(head);
            }
        }
    }

    @FuzzTest
    void responseDecoder(byte[] input) {
        assertSameInHalves(input, () -> new ResponseReceiver("GET"));
        Http1ResponseDecoder decoder = new Http1ResponseDecoder(LIMITS);
        if (decoder.decode(input, 0, input.length) == Http1ResponseDecoder.Result.HEAD) {
            ResponseHead head = decoder.head();
            assertClean(head.fields());
            assertTrue(head.status() >= 100 && head.status() <= 599);
            assertEncodesEqually(head);
        }
    }

    @FuzzTest
    void chunkedBody(byte[] input) {
        byte[] head =
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                        .getBytes(StandardCharsets.ISO_8859_1);
        byte[] request = Arrays.copyOf(head, head.length + input.length);
        System.arraycopy(input, 0, request, head.length, input.length);
        assertSameInHalves(request, () -> new RequestReceiver());
        Http1BodyDecoder body = Http1BodyDecoder.chunked(LIMITS);
        int p = 0;
        while (true) {
            Http1BodyDecoder.Result result = body.decode(input, p, input.length);
            assertTrue(body.consumed() >= p && body.consumed() <= input.length);
            if (result == Http1BodyDecoder.Result.DATA) {
                assertTrue(p <= body.dataFrom() && body.dataFrom() < body.dataTo());
                assertEquals(body.consumed(), body.dataTo());
                p = body.consumed();
                continue;
            }
            if (result == Http1BodyDecoder.Result.END) {
                assertClean(body.trailers());
                assertFalse(body.trailers().contains("content-length"));
                assertFalse(body.trailers().contains("host"));
            }
            return;
        }
    }

    private static void assertSameInHalves(
            byte[] input, Supplier<CutEverywhere.Receiver> receivers) {
        List<String> whole = CutEverywhere.run(receivers.get(), input, input.length);
        int half = input.length / 2;
        assertEquals(whole, CutEverywhere.run(receivers.get(), input, half, input.length));
        int[] bytes = new int[input.length];
        Arrays.setAll(bytes, i -> i + 1);
        assertEquals(whole, CutEverywhere.run(receivers.get(), input, bytes));
    }

    private static void assertClean(Fields fields) {
        for (int i = 0; i < fields.size(); i++) {
            assertFalse(fields.name(i).isEmpty());
            assertTrue(fields.name(i).chars().allMatch(c -> c > ' ' && c < 127 && c != ':'));
            String value = fields.value(i);
            assertEquals(value.strip().length(), value.length());
            assertTrue(value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c != 127)));
        }
    }

    /// A head that was accepted is written so that it is accepted again as an equal head.
    private static void assertEncodesEqually(RequestHead head) {
        byte[] wire = new byte[2 * LIMITS.headBytesMax()];
        long framing =
                head.fields().contains("content-length") || head.contentLength() < 0
                        ? head.contentLength()
                        : Http1RequestEncoder.NONE;
        int end =
                Http1RequestEncoder.encodeHead(
                        wire,
                        0,
                        head.method(),
                        head.target().raw(),
                        list(head.fields()),
                        framing,
                        false);
        if (head.version().text().endsWith("0")) {
            wire[new String(wire, 0, end, StandardCharsets.ISO_8859_1).indexOf("HTTP/1.1\r") + 7] =
                    '0';
        }
        Http1RequestDecoder again = new Http1RequestDecoder(LIMITS, false);
        assertEquals(Http1RequestDecoder.Result.HEAD, again.decode(wire, 0, end));
        RequestHead second = again.head();
        assertEquals(head.method(), second.method());
        assertEquals(head.target(), second.target());
        assertEquals(head.version(), second.version());
        assertEquals(head.contentLength(), second.contentLength());
        assertEquals(head.keepAlive(), second.keepAlive());
        assertEquals(head.expectContinue(), second.expectContinue());
        assertEquals(list(head.fields()).toString(), list(second.fields()).toString());
    }

    private static void assertEncodesEqually(ResponseHead head) {
        byte[] wire = new byte[2 * LIMITS.headBytesMax()];
        long framing =
                head.contentLength() == ResponseHead.UNTIL_CLOSE
                                || !head.fields().contains("content-length")
                                        && !head.fields().contains("transfer-encoding")
                        ? Http1ResponseEncoder.NONE
                        : head.contentLength();
        int end =
                Http1ResponseEncoder.encodeHead(
                        wire, 0, head.status(), list(head.fields()), framing, false, null);
        Http1ResponseDecoder again = new Http1ResponseDecoder(LIMITS);
        assertEquals(Http1ResponseDecoder.Result.HEAD, again.decode(wire, 0, end));
        assertEquals(head.status(), again.head().status());
        assertEquals(head.contentLength(), again.head().contentLength());
        assertEquals(list(head.fields()).toString(), list(again.head().fields()).toString());
    }

    private static FieldList list(Fields fields) {
        FieldList list = new FieldList();
        for (int i = 0; i < fields.size(); i++) {
            if (fields.nameIs(i, "content-length") || fields.nameIs(i, "transfer-encoding")) {
                continue;
            }
            if (i % 2 == 0) {
                list.add(fields, i);
            } else {
                list.add(fields.name(i), fields.value(i));
            }
        }
        return list;
    }
}
