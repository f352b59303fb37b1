package io.margay.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.ajp.AjpAttributes;
import io.margay.protocol.ajp.AjpForwardRequest;
import io.margay.protocol.ajp.AjpLimits;
import io.margay.protocol.ajp.AjpRequestEncoder;
import io.margay.protocol.http1.Http1ResponseEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Lines that were received and are sent on without a string between.
final class FieldListTest {
    private static Fields received(String... lines) {
        Fields.Builder fields = new Fields.Builder();
        for (int i = 0; i < lines.length; i += 2) {
            fields.add(lines[i], lines[i + 1]);
        }
        return fields.build();
    }

    private static FieldList list(Fields fields) {
        FieldList list = new FieldList();
        for (int i = 0; i < fields.size(); i++) {
            list.add(fields, i);
        }
        return list;
    }

    private static String encoded(FieldList list) {
        byte[] bytes = new byte[1024];
        int end =
                Http1ResponseEncoder.encodeHead(
                        bytes, 0, 200, list, Http1ResponseEncoder.NONE, false, null);
        return new String(bytes, 0, end, StandardCharsets.ISO_8859_1);
    }

    @Test
    void receivedLine_isSentAsItCame() {
        Fields fields = received("x-A", "one", "Content-Length", "7", "x-b", "\u00e9  z");
        String head = "HTTP/1.1 200 OK\r\nx-A: one\r\nx-b: \u00e9  z\r\nq: r\r\n\r\n";
        assertEquals(head, encoded(list(fields).add("q", "r")));
    }

    @ParameterizedTest
    @CsvSource({"X-A, 0", "'', 65", "X A, 65", "X-A, 10", "X-A, 13", "X-A, 127"})
    void receivedLine_thatCouldSplitAMessage_isRefused(String name, int octet) {
        FieldList list = list(received(name, "12345678" + (char) octet + "9"));
        assertThrows(IllegalArgumentException.class, () -> encoded(list));
    }

    @Test
    void receivedLine_withNul_isRefusedByAjp13() {
        FieldList list = list(received("X-A", "1\u00002"));
        RequestHead head =
                new RequestHead(
                        "GET",
                        new RequestTarget(
                                RequestTarget.Form.ORIGIN, "/", "/", null, null, "localhost"),
                        HttpVersion.HTTP_1_1,
                        Fields.EMPTY,
                        RequestHead.NO_BODY,
                        false,
                        true);
        AjpForwardRequest request =
                new AjpForwardRequest(
                        head, "127.0.0.1", null, "localhost", 80, false, AjpAttributes.EMPTY);
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        AjpRequestEncoder.encodeRequest(
                                new byte[8192], 0, AjpLimits.defaults(), request, list));
    }

    @Test
    void receivedLines_areFoundChangedAndRemovedAsOthers() {
        FieldList list = list(received("A", "1", "b", "2", "a", "3", "C", "4"));
        assertTrue(list.contains("B"));
        assertEquals(List.of("1", "3"), list.all("a"));
        assertEquals(2, list.indexOf("a", 1));
        list.set("a", "5").remove("c").add("d", "6");
        assertEquals("a: 5\nb: 2\nd: 6\n", list.toString());
        assertEquals("2", list.value(1));
        assertNull(list.received(1), "it has become a line of strings");
        assertFalse(list.nameIs(1, "bb"));
        list.clear();
        assertEquals(0, list.size());
    }

    @Test
    void usualName_isTheSameStringEachTime() {
        Fields fields = received("Content-Type", "a", "content-type", "b", "cOntent-Type", "c");
        assertSame(fields.name(0), received("Content-Type", "x").name(0));
        assertEquals("content-type", fields.name(1));
        assertEquals("cOntent-Type", fields.name(2));
        assertTrue(fields.nameIs(2, "content-type"));
        assertTrue(fields.nameBegins(1, "CONTENT-"));
        assertFalse(fields.nameBegins(1, "content-type-"));
        assertTrue(fields.nameHolds(0, '-'));
        assertTrue(fields.valueIs(0, "A"));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "149, 149",
        "999999999999999999, 999999999999999999",
        "'', -1",
        "+1, -1",
        "1 2, -1",
        "1000000000000000000, -1"
    })
    void decimal_isOfDigitsAlone(String value, long number) {
        assertEquals(number, received("Content-Length", value).decimal(0));
    }
}
