package io.margay.protocol.ajp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.protocol.ajp.AjpRequestDecoder.Result;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http1.Http1Limits;
import io.margay.protocol.http1.Http1RequestDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AjpRequestDecoderTest {
    private static final AjpLimits LIMITS = AjpLimits.defaults();
    private static final String REST = " \"127.0.0.1\" \"\" \"h\" #80 00 ";

    private final AjpRequestDecoder decoder = new AjpRequestDecoder(LIMITS);

    private Result decode(String packet) {
        byte[] bytes = PacketText.assemble(packet);
        return decoder.decode(bytes, 0, bytes.length);
    }

    private Result decodeFields(int count, String fields) {
        return decode("in( 02 02 \"HTTP/1.1\" \"/\"" + REST + "#" + count + " " + fields + " FF )");
    }

    private AjpError refused(String packet) {
        assertEquals(Result.REFUSED, decode(packet));
        return decoder.error();
    }

    /// The specification's table, written down once more and independently of the code's: the
    /// container that served this took DELETE for OPTIONS.
    @ParameterizedTest
    @CsvSource({
        "1,OPTIONS",
        "2,GET",
        "3,HEAD",
        "4,POST",
        "5,PUT",
        "6,DELETE",
        "7,TRACE",
        "8,PROPFIND",
        "9,PROPPATCH",
        "10,MKCOL",
        "11,COPY",
        "12,MOVE",
        "13,LOCK",
        "14,UNLOCK",
        "15,ACL",
        "16,REPORT",
        "17,VERSION-CONTROL",
        "18,CHECKIN",
        "19,CHECKOUT",
        "20,UNCHECKOUT",
        "21,SEARCH",
        "22,MKWORKSPACE",
        "23,UPDATE",
        "24,LABEL",
        "25,MERGE",
        "26,BASELINE-CONTROL",
        "27,MKACTIVITY"
    })
    void methodCode_each_isItsOwnMethod_tomcatBug69848(int code, String method) {
        String hex = String.format("%02x", code);
        Result result =
                decode("in( 02 " + hex + " \"HTTP/1.1\" \"/\"" + REST + "#1 A00B \"h\" FF )");
        assertEquals(Result.REQUEST, result);
        assertEquals(method, decoder.request().head().method());
        assertEquals(code, Ajp.methodCode(method));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PATCH", "get", "X-NEW"})
    void storedMethod_anyToken_isTaken(String method) {
        String packet =
                "in( 02 FF \"HTTP/1.1\" \"/\"" + REST + "#1 A00B \"h\" 0D \"" + method + "\" FF )";
        assertEquals(Result.REQUEST, decode(packet));
        assertEquals(method, decoder.request().head().method());
    }

    @Test
    void storedMethod_tooLong_isRefused() {
        String method = "M".repeat(33);
        String packet =
                "in( 02 FF \"HTTP/1.1\" \"/\"" + REST + "#1 A00B \"h\" 0D \"" + method + "\" FF )";
        assertEquals(AjpError.BAD_METHOD, refused(packet));
    }

    @ParameterizedTest
    @CsvSource({
        "GET,0",
        "HEAD,0",
        "DELETE,0",
        "OPTIONS,0",
        "TRACE,0",
        "POST,-1",
        "PUT,-1",
        "PROPFIND,-1",
        "REPORT,-1"
    })
    void contentLength_notDeclared_isAskedForWhereContentIsUsual(String method, long length) {
        String hex = String.format("%02x", Ajp.methodCode(method));
        decode("in( 02 " + hex + " \"HTTP/1.1\" \"/\"" + REST + "#1 A00B \"h\" FF )");
        assertEquals(length, decoder.request().head().contentLength());
    }

    @Test
    void head_ofAnyRequest_hasNoExpectationAndKeepsTheConnection() {
        decodeFields(2, "A00B \"h\" \"Expect\" \"100-continue\"");
        RequestHead head = decoder.request().head();
        assertFalse(head.expectContinue());
        assertEquals(true, head.keepAlive());
    }

    @Test
    void fields_overTheLimit_areRefused431() {
        StringBuilder fields = new StringBuilder("A00B \"h\"");
        fields.append(" \"x\" \"y\"".repeat(100));
        assertEquals(Result.REFUSED, decodeFields(101, fields.toString()));
        assertEquals(431, decoder.error().cause().status());
    }

    @Test
    void fields_atTheLimit_areTaken() {
        StringBuilder fields = new StringBuilder("A00B \"h\"");
        fields.append(" \"x\" \"y\"".repeat(99));
        assertEquals(Result.REQUEST, decodeFields(100, fields.toString()));
        assertEquals(100, decoder.request().head().fields().size());
    }

    @Test
    void attributes_overTheLimit_areAnError() {
        StringBuilder packet = new StringBuilder("in( 02 02 \"HTTP/1.1\" \"/\"" + REST + "#0");
        for (int i = 0; i < 65; i++) {
            packet.append(" 0A \"n").append(i).append("\" \"v\"");
        }
        assertEquals(Result.ERROR, decode(packet.append(" FF )").toString()));
        assertEquals(AjpError.TOO_MANY_ATTRIBUTES, decoder.error());
    }

    @Test
    void target_overTheLimit_isRefused414() {
        AjpRequestDecoder wide = new AjpRequestDecoder(LIMITS.withPacketBytesMax(65536));
        String path = "/" + "a".repeat(8192);
        byte[] bytes =
                PacketText.assemble(
                        "in( 02 02 \"HTTP/1.1\" \"" + path + "\"" + REST + "#1 A00B \"h\" FF )");
        assertEquals(Result.REFUSED, wide.decode(bytes, 0, bytes.length));
        assertEquals(414, wide.error().cause().status());
    }

    @Test
    void packet_atTheAgreedSize_isTakenAndOneMoreIsNot() {
        for (int max : new int[] {8192, 16384, 65536}) {
            AjpRequestDecoder sized = new AjpRequestDecoder(LIMITS.withPacketBytesMax(max));
            byte[] header = {0x12, 0x34, (byte) ((max - 4) >> 8), (byte) (max - 4)};
            assertEquals(Result.NEED_MORE, sized.decode(header, 0, 4), "size " + max);
            if (max < 65536) {
                byte[] longer = {0x12, 0x34, (byte) ((max - 3) >> 8), (byte) (max - 3)};
                assertEquals(Result.ERROR, sized.decode(longer, 0, 4), "size " + max);
            }
        }
    }

    @Test
    void content_overTheLimit_isRefused413() {
        AjpRequestDecoder small = new AjpRequestDecoder(LIMITS.withBodyBytesMax(9));
        byte[] bytes =
                PacketText.assemble(
                        "in( 02 04 \"HTTP/1.1\" \"/\"" + REST + "#2 A00B \"h\" A008 \"10\" FF )");
        assertEquals(Result.REFUSED, small.decode(bytes, 0, bytes.length));
        assertEquals(413, small.error().cause().status());
    }

    @Test
    void attributes_printed_hideTheSecret() {
        decode("in( 02 02 \"HTTP/1.1\" \"/\"" + REST + "#1 A00B \"h\" 0C \"s3cret\" FF )");
        assertEquals("s3cret", decoder.attributes().get(AjpAttribute.SECRET));
        assertFalse(decoder.request().toString().contains("s3cret"));
    }

    @Test
    void request_beforeDecode_isNotGiven() {
        assertThrows(IllegalStateException.class, decoder::request);
        assertThrows(IllegalStateException.class, decoder::error);
        assertNull(AjpAttributes.EMPTY.get(AjpAttribute.SECRET));
    }

    /// What a front end was tricked into forwarding is refused here once more.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"Transfer-Encoding\" \"chunked\" A008 \"5\"",
                "A008 \"5\" \"transfer-encoding\" \"Chunked\"",
                "\"Transfer-Encoding\" \"x, chunked\" \"a\" \"b\"",
                "\"Transfer-Encoding\" \"chunked;q=1\" \"a\" \"b\"",
                "\"Transfer-Encoding\" \" chunked,\" \"a\" \"b\"",
                "\"Transfer-Encoding\" \"\" \"a\" \"b\"",
                "\"Transfer-Encoding\" \"chunked\" \"Transfer-Encoding\" \"chunked\"",
                "A008 \"5\" A008 \"5\"",
                "A008 \"5\" \"Content-Length\" \"6\"",
                "A008 \"0x5\" \"a\" \"b\"",
                "A008 \"5 5\" \"a\" \"b\"",
                "A008 \"-0\" \"a\" \"b\"",
            })
    void framing_withTwoReadings_isRefused_cve2022_26377_and_36760(String fields) {
        assertEquals(Result.REFUSED, decodeFields(3, "A00B \"h\" " + fields));
        assertEquals(400, decoder.error().cause().status());
    }

    /// AJP13 and HTTP/1 must judge the same fields alike.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5",
                "Content-Length: 05",
                "Content-Length: +5",
                "Content-Length: 5,5",
                "Content-Length: ",
                "Content-Length: 9223372036854775807",
                "Content-Length: 9223372036854775808",
                "Content-Length: 99999999999999999999",
                "Content-Length: 5\nContent-Length: 5",
                "Transfer-Encoding: chunked",
                "Transfer-Encoding: CHUNKED",
                "Transfer-Encoding: chunked, chunked",
                "Transfer-Encoding: chunked\nContent-Length: 5",
                "Transfer-Encoding: chunked\nTransfer-Encoding: chunked",
                "Expect: 100-continue",
                "Expect: 100-Continue",
                "Expect: 200-ok",
                "Expect: 100-continue\nExpect: 100-continue",
                "Host: h",
                "X: \u0001",
                "X: a\tb",
                "X Y: a",
                "X_Y: a"
            })
    void verdict_onFields_isThatOfHttp1(String lines) {
        String http = "POST / HTTP/1.1\r\nHost: h\r\n" + lines.replace("\n", "\r\n") + "\r\n\r\n";
        byte[] bytes = http.getBytes(StandardCharsets.ISO_8859_1);
        Http1RequestDecoder other = new Http1RequestDecoder(Http1Limits.defaults(), false);
        boolean taken = other.decode(bytes, 0, bytes.length) == Http1RequestDecoder.Result.HEAD;

        List<String> fields = lines.lines().toList();
        StringBuilder packet =
                new StringBuilder("in( 02 04 \"HTTP/1.1\" \"/\"")
                        .append(REST)
                        .append('#')
                        .append(fields.size() + 1)
                        .append(" A00B \"h\"");
        for (String field : fields) {
            int colon = field.indexOf(':');
            packet.append(" \"").append(field, 0, colon).append('"');
            packet.append(" \"").append(field.substring(colon + 1)).append('"');
        }
        Result result = decode(packet.append(" FF )").toString());
        assertEquals(taken ? Result.REQUEST : Result.REFUSED, result);
        if (taken && other.head().contentLength() != 0) {
            assertEquals(other.head().contentLength(), decoder.request().head().contentLength());
        }
    }
}
