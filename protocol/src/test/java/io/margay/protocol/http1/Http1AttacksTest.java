package io.margay.protocol.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.FieldList;
import io.margay.testkit.CutEverywhere;
import io.margay.testkit.Escapes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Known attacks on where an HTTP/1 message ends, each by its name. After the error nothing of the
/// input may be read as a message.
class Http1AttacksTest {
    private static final String SMUGGLED = "GET /smuggled HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n";

    /// Replays a POST with these header lines and this content, followed by a request that must not
    /// be read.
    private static List<String> post(String lines, String content) {
        return request(
                "POST / HTTP/1.1\\r\\nHost: a\\r\\n" + lines + "\\r\\n" + content + SMUGGLED);
    }

    private static List<String> request(String escaped) {
        List<String> events =
                CutEverywhere.replay(Escapes.unescape(escaped), () -> new RequestReceiver());
        assertTrue(
                events.stream().noneMatch(e -> e.contains("ORIGIN /smuggled")),
                () -> "smuggled: " + events);
        return events;
    }

    private static void assertError(int status, List<String> events) {
        assertTrue(events.getLast().startsWith("error " + status + " "), () -> "got " + events);
        assertFalse(events.contains("end"), () -> "a message ended before the error: " + events);
    }

    @Test
    void cve_2005_2088_contentLengthBeforeTransferEncoding_is400() {
        assertError(
                400,
                post("Content-Length: 5\\r\\nTransfer-Encoding: chunked\\r\\n", "0\\r\\n\\r\\n"));
    }

    @Test
    void cve_2013_4286_transferEncodingBeforeContentLength_is400() {
        assertError(
                400,
                post("Transfer-Encoding: chunked\\r\\nContent-Length: 5\\r\\n", "0\\r\\n\\r\\n"));
    }

    @Test
    void cve_2017_7658_twoContentLengths_is400() {
        assertError(400, post("Content-Length: 5\\r\\nContent-Length: 0\\r\\n", "hello"));
        assertError(400, post("Content-Length: 5\\r\\nContent-Length: 5\\r\\n", "hello"));
    }

    @Test
    void cve_2023_40225_contentLengthEmpty_is400() {
        assertError(400, post("Content-Length:\\r\\n", ""));
        assertError(400, post("Content-Length: \\r\\nContent-Length: 5\\r\\n", "hello"));
    }

    @Test
    void cve_2021_40346_contentLengthOrNameThatOverflows_isRefused() {
        assertError(400, post("Content-Length: 18446744073709551617\\r\\n", "x"));
        // The original: a name of 270 characters whose length overflowed into the value.
        String name = "Content-Length0" + "a".repeat(255);
        List<String> events = post(name + ":\\r\\nContent-Length: " + SMUGGLED.length(), "");
        assertTrue(events.getLast().startsWith("error 400"), events::toString);
    }

    @Test
    void cve_2022_42252_contentLengthWithPlus_is400() {
        assertError(400, post("Content-Length: +5\\r\\n", "hello"));
    }

    @Test
    void cve_2017_7657_chunkSizeThatOverflows_is400OrItsTrueSize() {
        assertError(400, post("Transfer-Encoding: chunked\\r\\n", "10000000000000000\\r\\n"));
        assertError(400, post("Transfer-Encoding: chunked\\r\\n", "fffffffffffffffe\\r\\n"));
        List<String> events =
                post("Transfer-Encoding: chunked\\r\\n", "100000000\\r\\n\\r\\n0\\r\\n\\r\\n");
        assertEquals("incomplete body", events.getLast());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: chunked, identity",
                "Transfer-Encoding: identity, chunked",
                "Transfer-Encoding: chunked, chunked",
                "Transfer-Encoding: chunked\\r\\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\\r\\nTransfer-Encoding: x",
                "Transfer-Encoding: x\\r\\nTransfer-Encoding: chunked",
                "Transfer-Encoding: \\x0bchunked",
                "Transfer-Encoding: chunked\\x0b",
                "Transfer-Encoding: \\x0cchunked",
                "Transfer-Encoding:\\0chunked",
                "Transfer-Encoding: chunked\\0",
                "Transfer-Encoding: \"chunked\"",
                "Transfer-Encoding: 'chunked'",
                "Transfer-Encoding: chunked;a=b",
                "Transfer-Encoding: chunked, ",
                "Transfer-Encoding: ,chunked",
                "Transfer-Encoding: chunked chunked",
                "Transfer-Encoding: c\\xe8unked",
                "Transfer-Encoding: \\x7fchunked",
                "Transfer-Encoding: \\xffchunked",
                "Transfer-Encoding: \\xa0chunked",
                "Transfer-Encoding:\\r\\n chunked",
                "Transfer-Encoding:\\n chunked",
                "Transfer-Encoding\\r\\n: chunked",
                "Transfer-Encoding : chunked",
                "Transfer-Encoding\\t: chunked",
                "Transfer-Encoding\\0: chunked",
                "Transfer-Encoding\\xa0: chunked",
                " Transfer-Encoding: chunked",
                "\\tTransfer-Encoding: chunked",
                "X: y\\nTransfer-Encoding: chunked",
                "X: y\\rTransfer-Encoding: chunked",
                "Tran\\xc5\\xbffer-Encoding: chunked",
                "Transfer-Encoding chunked",
                "Transfer-Encoding:: chunked"
            })
    void ghsa_4vww_mc66_62m6_transferEncodingObfuscated_isRefused(String line) {
        List<String> events = post(line + "\\r\\n", "0\\r\\n\\r\\n");
        assertTrue(events.getFirst().matches("error (400|501) .*"), events::toString);
    }

    @Test
    void cve_2026_2835_transferEncodingInHttp10_is400() {
        assertError(
                400,
                request(
                        "POST / HTTP/1.0\\r\\nHost: a\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n"
                                + "0\\r\\n\\r\\n"
                                + SMUGGLED));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5\\nhello\\r\\n0\\r\\n\\r\\n",
                "5\\rhello\\r\\n0\\r\\n\\r\\n",
                "5\\r\\nhello\\n0\\r\\n\\r\\n",
                "5\\r\\nhello\\r0\\r\\n\\r\\n",
                "5;a\\nhello\\r\\n0\\r\\n\\r\\n",
                "5\\r\\r\\nhello\\r\\n0\\r\\n\\r\\n",
                "0\\n\\r\\n",
                "0\\r\\n\\n",
                "0\\r\\nX: y\\n\\r\\n"
            })
    void cve_2025_22871_bareLfOrCrInChunkLines_is400(String content) {
        assertError(400, post("Transfer-Encoding: chunked\\r\\n", content));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1;a=\"\\r\\nX\\r\\n0\\r\\n\\r\\n\"\\r\\n",
                "1;\\nxx\\r\\n4c\\r\\n0\\r\\n\\r\\n",
                "1;\\rxx\\r\\n0\\r\\n\\r\\n",
                "1;a=\"b\\nc\"\\r\\nx\\r\\n0\\r\\n\\r\\n",
                "1;a=\"b\\\\\\nc\"\\r\\nx\\r\\n0\\r\\n\\r\\n",
                "1;a=\"b\\r\\nx\\r\\n0\\r\\n\\r\\n",
                "1 \\r\\nx\\r\\n0\\r\\n\\r\\n",
                "1,a\\r\\nx\\r\\n0\\r\\n\\r\\n"
            })
    void cve_2026_2332_chunkExtensionThatHidesALineEnd_is400(String content) {
        assertError(400, post("Transfer-Encoding: chunked\\r\\n", content));
    }

    @Test
    void cve_2012_3544_chunkExtensionsOverTheLimit_are400() {
        int most = Http1Limits.defaults().chunkExtensionBytesMax();
        assertError(
                400,
                post(
                        "Transfer-Encoding: chunked\\r\\n",
                        "1;" + "a".repeat(most) + "\\r\\nx\\r\\n"));
        // The limit counts the extensions of all chunks together.
        String chunk = "1;abcdefg\\r\\nx\\r\\n";
        assertError(400, post("Transfer-Encoding: chunked\\r\\n", chunk.repeat(most / 8 + 1)));
        List<String> events =
                request(
                        "POST / HTTP/1.1\\r\\nHost: a\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n"
                                + chunk.repeat(most / 8)
                                + "0\\r\\n\\r\\n");
        assertEquals("end", events.getLast());
    }

    @Test
    void cve_2023_45648_trailerWithABadName_is400() {
        assertError(400, post("Transfer-Encoding: chunked\\r\\n", "0\\r\\nX\\x01: y\\r\\n\\r\\n"));
        assertError(400, post("Transfer-Encoding: chunked\\r\\n", "0\\r\\n: y\\r\\n\\r\\n"));
    }

    @Test
    void cve_2023_46589_trailersOverTheLimit_are400() {
        Http1Limits limits = Http1Limits.defaults();
        String large = "X: " + "y".repeat(limits.trailerBytesMax()) + "\\r\\n";
        assertError(400, post("Transfer-Encoding: chunked\\r\\n", "0\\r\\n" + large + "\\r\\n"));
        String many = "X: y\\r\\n".repeat(limits.trailersMax() + 1);
        assertError(400, post("Transfer-Encoding: chunked\\r\\n", "0\\r\\n" + many + "\\r\\n"));
    }

    @Test
    void http11MustDie_expectObfuscated_is417() {
        for (String value : List.of("y 100-continue", "100-continue, x", "100-continue;a", "x")) {
            assertError(417, post("Content-Length: 5\\r\\nExpect: " + value + "\\r\\n", "hello"));
        }
    }

    @Test
    void http11MustDie_contentOfGetAndHead_isConsumedByItsLength() {
        for (String method : List.of("GET", "HEAD", "DELETE", "OPTIONS")) {
            int length = Escapes.unescape(SMUGGLED).length;
            List<String> events =
                    request(
                            method
                                    + " / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: "
                                    + length
                                    + "\\r\\n\\r\\n"
                                    + SMUGGLED);
            assertEquals("data " + SMUGGLED, events.get(3));
            assertEquals("end", events.get(4));
        }
    }

    @Test
    void cve_2023_25725_fieldWithAnEmptyName_is400() {
        assertError(400, post(": x\\r\\nContent-Length: 5\\r\\n", "hello"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length : 5",
                " Content-Length: 5",
                "X: y\\r\\n Content-Length: 5",
                "Content-Length 5",
                "Content-Length\\r\\n: 5",
                "Content\\0-Length: 5",
                "Content-Length: 5\\0",
                "X: a\\x01b",
                "X\\x80: y"
            })
    void httpGarden_fieldLineMalformed_is400(String line) {
        assertError(400, post(line + "\\r\\n", "hello"));
    }

    @Test
    void cve_2026_28367_headThatEndsInCarriageReturns_is400() {
        assertError(400, request("GET / HTTP/1.1\\r\\nHost: a\\r\\r\\r" + SMUGGLED));
        assertError(400, request("GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\r" + SMUGGLED));
    }

    @Test
    void cve_2026_28369_firstFieldBehindBlanks_is400() {
        assertError(400, request("GET / HTTP/1.1\\r\\n Host: a\\r\\n\\r\\n"));
        assertError(
                400, request("GET / HTTP/1.1\\r\\n  Content-Length: 5\\r\\nHost: a\\r\\n\\r\\n"));
        assertError(400, request("GET / HTTP/1.1\\r\\n\\tHost: a\\r\\n\\r\\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\0",
                "\\x01",
                "\\x02",
                "\\x0b",
                "\\x0c",
                "\\x7f",
                " ",
                "\\t",
                "\\n",
                "\\r\\n\\0",
                "\\0\\r\\n",
                "\\r\\n\\r\\n",
                "\\r\\r\\n"
            })
    void cve_2026_50020_octetsBeforeTheRequest_areNotPassedOver(String before) {
        assertError(400, request(before + SMUGGLED));
    }

    @Test
    void cve_2026_10051_trailers_areThoseOfTheirRequestAlone() {
        String post = "POST / HTTP/1.1\\r\\nHost: a\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n";
        List<String> events =
                request(
                        post
                                + "0\\r\\nX-First: 1\\r\\n\\r\\n"
                                + post
                                + "0\\r\\nX-Second: 2\\r\\n\\r\\n"
                                + post
                                + "0\\r\\n\\r\\n");
        assertEquals(
                List.of("trailer X-First=1", "end", "trailer X-Second=2", "end", "end"),
                events.stream().filter(e -> e.startsWith("trailer ") || e.equals("end")).toList());
    }

    @Test
    void cve_2026_42580_chunkSizeAboveAnInt_isItsTrueSize() {
        List<String> events =
                post("Transfer-Encoding: chunked\\r\\n", "100000004\\r\\ntest\\r\\n0\\r\\n\\r\\n");
        assertEquals("incomplete body", events.getLast());
    }

    @Test
    void cve_2026_2833_bytesAfterAnUpgradeRequest_belongToTheNextRequest() {
        // The decoder does not switch by itself: what follows an Upgrade request is another
        // request,
        // until a server has answered 101.
        List<String> events =
                CutEverywhere.replay(
                        Escapes.unescape(
                                "GET /1 HTTP/1.1\\r\\nHost: a\\r\\nUpgrade: x\\r\\n"
                                        + "Connection: upgrade\\r\\n\\r\\n"
                                        + "GET /2 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"),
                        () -> new RequestReceiver());
        assertEquals(2, events.stream().filter("end"::equals).count());
    }

    @Test
    void cve_2026_33523_responseSplitByTheUpstream_is502() {
        for (String head :
                List.of(
                        "HTTP/1.1 200 O\\x0bK\\r\\n",
                        "HTTP/1.1 200 OK\\nX: y\\r\\n",
                        "HTTP/1.1 200 OK\\r\\nX: y\\nSet-Cookie: a=b\\r\\n",
                        "HTTP/1.1 200 OK\\r\\nX: y\\rSet-Cookie: a=b\\r\\n")) {
            List<String> events =
                    CutEverywhere.replay(
                            Escapes.unescape(head + "\\r\\n"), () -> new ResponseReceiver("GET"));
            assertTrue(events.getFirst().startsWith("error 502"), events::toString);
        }
    }

    @Test
    void responseSplitting_lineEndInAField_isNeverWritten() {
        List<String> bad = List.of("a\r\nb", "a\nb", "a\rb", "a\0b", "a\u010ab", "\u560d\u560a");
        List<FieldList> lists = new ArrayList<>();
        bad.forEach(text -> lists.add(new FieldList().add("X", text)));
        bad.forEach(text -> lists.add(new FieldList().add(text, "x")));
        lists.add(new FieldList().add("", "x"));
        lists.add(new FieldList().add("X: y", "x"));
        for (FieldList fields : lists) {
            byte[] target = new byte[1000];
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Http1ResponseEncoder.encodeHead(target, 0, 200, fields, 0, false, null));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Http1ResponseEncoder.encodeTrailers(target, 0, fields));
            FieldList withHost = new FieldList().add("Host", "a");
            withHost.add(fields.name(0), fields.value(0));
            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                            Http1RequestEncoder.encodeHead(
                                    target, 0, "GET", "/", withHost, 0, false));
        }
    }

    @Test
    void cve_2026_24733_http09WithHead_is400() {
        assertError(400, request("HEAD /admin\\r\\n" + SMUGGLED));
    }

    @Test
    void cve_2017_7656_http09SpelledOut_is505() {
        assertError(505, request("GET / HTTP/0.9\\r\\nHost: a\\r\\n\\r\\n" + SMUGGLED));
    }

    @Test
    void cve_2022_22720_afterAnError_nothingIsDecoded() {
        List<String> events =
                post("Transfer-Encoding: chunked\\r\\n", "x\\r\\n" + SMUGGLED + SMUGGLED);
        assertError(400, events);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET http://a,b/ HTTP/1.1\\r\\nHost: a,b",
                "GET / HTTP/1.1\\r\\nHost: a,b",
                "GET http://a/ HTTP/1.1\\r\\nHost: b",
                "GET http://a@b/ HTTP/1.1\\r\\nHost: b",
                "GET / HTTP/1.1\\r\\nHost: a@b",
                "GET / HTTP/1.1\\r\\nHost: a\\r\\nHost: b",
                "GET / HTTP/1.1\\r\\nX: y",
                "GET / HTTP/1.1\\r\\nHost:",
                "GET / HTTP/1.1\\r\\nHost: a/b",
                "GET / HTTP/1.1\\r\\nHost: a?b",
                "GET / HTTP/1.1\\r\\nHost: a#b",
                "GET / HTTP/1.1\\r\\nHost: a\\\\b",
                "GET / HTTP/1.1\\r\\nHost: a b",
                "GET / HTTP/1.1\\r\\nHost: \"a\"",
                "GET / HTTP/1.1\\r\\nHost: a;b",
                "GET / HTTP/1.1\\r\\nHost: \\xe4"
            })
    void haproxyCommaInAuthority_hostAmbiguous_is400(String head) {
        assertError(400, request(head + "\\r\\n\\r\\n"));
    }
}
