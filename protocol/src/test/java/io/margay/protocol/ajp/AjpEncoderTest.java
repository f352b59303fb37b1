package io.margay.protocol.ajp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.protocol.ajp.AjpResponseDecoder.Result;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AjpEncoderTest {
    private static final AjpLimits LIMITS = AjpLimits.defaults();

    private final byte[] target = new byte[9000];

    private byte[] head(int status, FieldList fields, long length) {
        int end = AjpResponseEncoder.encodeHead(target, 0, LIMITS, status, fields, length);
        return Arrays.copyOf(target, end);
    }

    @Test
    void head_withLength_isTheSpecifiedPacket() {
        FieldList fields = new FieldList().add("content-type", "text/plain").add("X-A", "b");
        assertArrayEquals(
                PacketText.assemble(
                        "out( 04 #200 \"OK\" #3 A003 \"5\" A001 \"text/plain\" \"X-A\" \"b\" )"),
                head(200, fields, 5));
    }

    @ParameterizedTest
    @CsvSource({
        "1,Content-Type", "2,Content-Language", "3,Content-Length", "4,Date", "5,Last-Modified",
        "6,Location", "7,Set-Cookie", "8,Set-Cookie2", "9,Servlet-Engine", "10,Status",
        "11,WWW-Authenticate"
    })
    void head_withCodedField_usesTheCode(int code, String name) {
        byte[] expected =
                PacketText.assemble(
                        String.format("out( 04 #404 \"Not Found\" #1 A0%02X \"v\" )", code));
        assertArrayEquals(expected, head(404, new FieldList().add(name, "v"), -1));
    }

    @Test
    void head_ofUnknownStatus_hasTheNumberAsReason() {
        assertArrayEquals(
                PacketText.assemble("out( 04 #299 \"299\" #0 )"), head(299, new FieldList(), -1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Connection", "Keep-Alive", "Transfer-Encoding", "TE", "Upgrade"})
    void head_withFieldOfOneHop_leavesItOut(String name) {
        assertArrayEquals(
                PacketText.assemble("out( 04 #200 \"OK\" #0 )"),
                head(200, new FieldList().add(name, "x"), -1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb", "a\nb", "a\0b", "a\u0100"})
    void head_withBadValue_isRefused(String value) {
        FieldList fields = new FieldList().add("X", value);
        assertThrows(IllegalArgumentException.class, () -> head(200, fields, -1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:", "a\r\n"})
    void head_withBadName_isRefused(String name) {
        FieldList fields = new FieldList().add(name, "v");
        assertThrows(IllegalArgumentException.class, () -> head(200, fields, -1));
    }

    @Test
    void head_thatDoesNotFitAPacket_isFull() {
        FieldList fields = new FieldList().add("X", "x".repeat(8192));
        assertEquals(
                AjpResponseEncoder.FULL,
                AjpResponseEncoder.encodeHead(target, 0, LIMITS, 200, fields, -1));
    }

    @Test
    void smallPackets_areTheSpecifiedOnes() {
        int end = AjpResponseEncoder.encodeEnd(target, 0, true);
        end = AjpResponseEncoder.encodeEnd(target, end, false);
        end = AjpResponseEncoder.encodeGetBody(target, end, 8186);
        end = AjpResponseEncoder.encodePong(target, end);
        end = AjpResponseEncoder.encodeChunkPrefix(target, end, 0);
        end = AjpResponseEncoder.encodeChunkSuffix(target, end);
        assertArrayEquals(
                PacketText.assemble(
                        "out( 05 01 ) out( 05 00 ) out( 06 #8186 ) out( 09 ) out( 03 #0 00 )"),
                Arrays.copyOf(target, end));
        end = AjpRequestEncoder.encodePing(target, 0);
        end = AjpRequestEncoder.encodeDataPrefix(target, end, 2);
        target[end++] = 'a';
        target[end++] = 'b';
        end = AjpRequestEncoder.encodeDataEnd(target, end);
        assertArrayEquals(
                PacketText.assemble("in( 0A ) in( #2 'ab' ) in( )"), Arrays.copyOf(target, end));
    }

    @Test
    void smallPackets_withoutRoom_areFull() {
        byte[] none = new byte[3];
        assertEquals(AjpResponseEncoder.FULL, AjpResponseEncoder.encodeEnd(none, 0, true));
        assertEquals(AjpResponseEncoder.FULL, AjpResponseEncoder.encodePong(none, 0));
        assertEquals(AjpResponseEncoder.FULL, AjpResponseEncoder.encodeChunkPrefix(none, 0, 1));
        assertEquals(AjpRequestEncoder.FULL, AjpRequestEncoder.encodePing(none, 0));
        assertEquals(AjpRequestEncoder.FULL, AjpRequestEncoder.encodeDataEnd(none, 0));
    }

    @Test
    void largestChunk_ofEachPacketSize_isTakenByTheOtherSide() {
        for (int max : new int[] {8192, 9216, 65536}) {
            AjpLimits limits = LIMITS.withPacketBytesMax(max);
            byte[] packets = new byte[70000];
            int head = AjpResponseEncoder.encodeHead(packets, 0, limits, 200, new FieldList(), -1);
            int data = limits.responseDataMax();
            int end = AjpResponseEncoder.encodeChunkPrefix(packets, head, data) + data;
            end = AjpResponseEncoder.encodeChunkSuffix(packets, end);
            assertEquals(max, end - head);
            AjpResponseDecoder decoder = new AjpResponseDecoder(limits);
            assertEquals(Result.HEAD, decoder.decode(packets, 0, end));
            assertEquals(Result.DATA, decoder.decode(packets, head, end));
            assertEquals(data, decoder.dataTo() - decoder.dataFrom());
        }
    }

    private static AjpForwardRequest request(
            String method, Fields fields, long length, AjpAttributes attributes) {
        RequestTarget to =
                new RequestTarget(RequestTarget.Form.ORIGIN, "/a?b", "/a", "b", "http", "h");
        RequestHead head =
                new RequestHead(method, to, HttpVersion.HTTP_1_1, fields, length, false, true);
        return new AjpForwardRequest(head, "10.0.0.1", null, "h", 80, false, attributes);
    }

    private byte @Nullable [] encoded(AjpForwardRequest request) {
        int end = AjpRequestEncoder.encodeRequest(target, 0, LIMITS, request);
        return end == AjpRequestEncoder.FULL ? null : Arrays.copyOf(target, end);
    }

    @Test
    void request_withoutContent_saysSo() {
        assertArrayEquals(
                PacketText.assemble(
                        "in( 02 02 \"HTTP/1.1\" \"/a\" \"10.0.0.1\" null \"h\" #80 00 #2"
                                + " A008 \"0\" A00B \"h\" 05 \"b\" 0C \"s\" FF )"),
                encoded(
                        request(
                                "GET",
                                new Fields.Builder().add("Host", "h").build(),
                                0,
                                new AjpAttributes.Builder()
                                        .set(AjpAttribute.SECRET, "s")
                                        .build())));
    }

    /// The length that the gateway decided on is sent, whatever the fields say; what concerns one
    /// hop is not.
    @Test
    void request_withFramingFields_carriesTheDecidedLength_cve2022_26377() {
        Fields fields =
                new Fields.Builder()
                        .add("Content-Length", "7")
                        .add("Transfer-Encoding", "chunked")
                        .add("Connection", "x")
                        .add("Expect", "100-continue")
                        .build();
        assertArrayEquals(
                PacketText.assemble(
                        "in( 02 FF \"HTTP/1.1\" \"/a\" \"10.0.0.1\" null \"h\" #80 00 #1"
                                + " \"Transfer-Encoding\" \"chunked\" 05 \"b\" 0D \"PATCH\" FF )"),
                encoded(request("PATCH", fields, -1, AjpAttributes.EMPTY)));
    }

    @Test
    void request_thatDoesNotFitAPacket_isFull() {
        Fields fields = new Fields.Builder().add("Cookie", "x".repeat(8192)).build();
        assertEquals(null, encoded(request("GET", fields, 0, AjpAttributes.EMPTY)));
    }

    @Test
    void request_withNulInAnAttribute_isRefused() {
        AjpAttributes attributes = new AjpAttributes.Builder().set("a", "b\0c").build();
        AjpForwardRequest request = request("GET", Fields.EMPTY, 0, attributes);
        assertThrows(IllegalArgumentException.class, () -> encoded(request));
    }
}
