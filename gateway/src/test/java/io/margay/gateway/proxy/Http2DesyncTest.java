package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.PeerScheme;
import io.margay.protocol.http2.Http2;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Requests of HTTP/2 that would be two, or another one, if they were written down as HTTP/1.1:
/// none of them reaches a back end that records what it is asked as two, and none leaves anything
/// behind for the next request on its connection.
final class Http2DesyncTest {
    private static final String HIDDEN = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

    /// What is sent on stream 1.
    enum Variant {
        VALUE_WITH_CR_LF(fields("x: y\r\n\r\n" + HIDDEN)),
        VALUE_WITH_LF(fields("x: y\nTransfer-Encoding: chunked")),
        VALUE_WITH_CR(fields("x: y\rTransfer-Encoding: chunked")),
        VALUE_WITH_NUL(fields("x: y\0z")),
        VALUE_WITH_BLANK_BEFORE(fields("x:  chunked")),
        COOKIE_WITH_CR_LF(fields("cookie: a=b\r\nX: y")),
        NAME_WITH_CR_LF(fields("x: y\r\nz: 1".replace("x: y", "x:y"))),
        NAME_WITH_COLON(fields("transfer-encoding:chunked\r\nx: y")),
        NAME_WITH_SPACE(fields("content-length : 0")),
        NAME_WITH_TAB(fields("content-length\t: 0")),
        NAME_WITH_NUL(fields("content-length\0: 0")),
        NAME_IN_UPPER_CASE(fields("Transfer-Encoding: chunked")),
        NAME_EMPTY(fields(": y")),
        TRANSFER_ENCODING(fields("transfer-encoding: chunked")),
        TRANSFER_ENCODING_IDENTITY(fields("transfer-encoding: identity")),
        TRANSFER_ENCODING_AND_LENGTH(fields("transfer-encoding: chunked", "content-length: 5")),
        LENGTH_SHORTER_THAN_CONTENT(fields("content-length: 5")),
        LENGTH_LONGER_THAN_CONTENT(fields("content-length: 500")),
        LENGTH_ZERO_WITH_CONTENT(fields("content-length: 0")),
        LENGTH_TWICE(fields("content-length: 5", "content-length: 43")),
        LENGTH_LIST(fields("content-length: 5, 43")),
        LENGTH_SIGNED(fields("content-length: +5")),
        LENGTH_TOO_LARGE(fields("content-length: 18446744073709551621")),
        LENGTH_EMPTY(fields("content-length: ")),
        CONNECTION(fields("connection: close")),
        CONNECTION_NOMINATES(fields("connection: content-length", "content-length: 5")),
        KEEP_ALIVE(fields("keep-alive: 5")),
        PROXY_CONNECTION(fields("proxy-connection: keep-alive")),
        UPGRADE(fields("upgrade: websocket")),
        TE_OTHER_THAN_TRAILERS(fields("te: trailers, chunked")),
        HOST_DIFFERS(fields("host: other")),
        HOST_TWICE(fields("host: localhost", "host: localhost")),
        HOST_WITH_CR_LF(fields("host: localhost\r\nx: y")),
        METHOD_WITH_SPACES(
                ":method: GET /smuggled HTTP/1.1", ":scheme: http", ":path: /", ":authority: a"),
        METHOD_WITH_CR_LF(
                ":method: " + HIDDEN + "GET", ":scheme: http", ":path: /", ":authority: a"),
        METHOD_EMPTY(":method: ", ":scheme: http", ":path: /", ":authority: a"),
        METHOD_CONNECT(":method: CONNECT", ":authority: a:80"),
        METHOD_TWICE(":method: GET", ":method: POST", ":scheme: http", ":path: /", ":authority: a"),
        PATH_WITH_SPACES(
                ":method: POST",
                ":scheme: http",
                ":path: / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nX: x",
                ":authority: a"),
        PATH_WITH_SPACE(":method: POST", ":scheme: http", ":path: /a b", ":authority: a"),
        PATH_WITH_LF(":method: POST", ":scheme: http", ":path: /a\nb", ":authority: a"),
        PATH_WITH_FRAGMENT(":method: POST", ":scheme: http", ":path: /a#b", ":authority: a"),
        PATH_ABSOLUTE(
                ":method: POST", ":scheme: http", ":path: http://b/smuggled", ":authority: a"),
        PATH_WITHOUT_SLASH(":method: POST", ":scheme: http", ":path: smuggled", ":authority: a"),
        PATH_EMPTY(":method: POST", ":scheme: http", ":path: ", ":authority: a"),
        PATH_MISSING(":method: POST", ":scheme: http", ":authority: a"),
        SCHEME_WITH_PATH(
                ":method: POST",
                ":scheme: http://localhost/smuggled?",
                ":path: /outer",
                ":authority: a"),
        SCHEME_MISSING(":method: POST", ":path: /outer", ":authority: a"),
        AUTHORITY_WITH_CR_LF(
                ":method: POST", ":scheme: http", ":path: /outer", ":authority: a\r\nx: y"),
        AUTHORITY_WITH_USER(":method: POST", ":scheme: http", ":path: /outer", ":authority: a@b"),
        AUTHORITY_WITH_PATH(
                ":method: POST", ":scheme: http", ":path: /outer", ":authority: a/smuggled"),
        AUTHORITY_WITH_COMMA(":method: POST", ":scheme: http", ":path: /outer", ":authority: a,b"),
        AUTHORITY_MISSING(":method: POST", ":scheme: http", ":path: /outer"),
        AUTHORITY_TWICE(
                ":method: POST",
                ":scheme: http",
                ":path: /outer",
                ":authority: a",
                ":authority: b"),
        PSEUDO_FIELD_UNKNOWN(
                ":method: POST", ":scheme: http", ":path: /outer", ":authority: a", ":x: y"),
        PSEUDO_FIELD_OF_ANSWERS(
                ":method: POST", ":scheme: http", ":path: /outer", ":authority: a", ":status: 200"),
        PSEUDO_FIELD_AFTER_OTHERS(
                ":method: POST", ":scheme: http", ":path: /outer", "x: y", ":authority: a"),
        PROTOCOL_WITHOUT_CONNECT(
                ":method: POST",
                ":scheme: http",
                ":path: /outer",
                ":authority: a",
                ":protocol: websocket");

        final String[] head;

        Variant(String... head) {
            this.head = head;
        }

        private static String[] fields(String... more) {
            List<String> all =
                    new ArrayList<>(
                            List.of(
                                    ":method: POST",
                                    ":scheme: http",
                                    ":path: /outer",
                                    ":authority: localhost"));
            all.addAll(List.of(more));
            return all.toArray(String[]::new);
        }
    }

    /// Reads as leniently as a server can that knows HTTP/1.1 alone, and writes down what it takes
    /// for a request.
    private static ScriptedPeer.Script recording(List<String> requests) {
        return talk -> {
            while (true) {
                String head = talk.head();
                requests.add(head.substring(0, head.indexOf("\r\n")));
                int length = head.indexOf("Content-Length: ");
                int chunked = head.toLowerCase(java.util.Locale.ROOT).indexOf("chunked\r\n");
                if (chunked >= 0) {
                    StringBuilder content = new StringBuilder();
                    while (content.indexOf("0\r\n\r\n") < 0) {
                        int next = talk.in().read();
                        if (next < 0) {
                            return;
                        }
                        content.append((char) next);
                    }
                } else if (length >= 0) {
                    String value = head.substring(length + 16, head.indexOf("\r\n", length));
                    talk.body(Integer.parseInt(value));
                }
                talk.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            }
        };
    }

    private static void attack(Gateway gateway, Variant variant) throws IOException {
        try (Http2Wire client = gateway.http2()) {
            client.hold();
            client.headers(1, false, variant.head);
            client.data(1, false, "0\r\n\r\n");
            client.data(1, true, HIDDEN);
            client.release();
            Http2Wire.Message message = client.message(1);
            assertTrue(
                    message.reset() >= 0 || message.status() >= 400,
                    variant + " is answered " + message.heads());
            // The connection and those behind the gateway serve others as if nothing had been.
            Http2Wire.Message after = client.get(3, "/after").message(3);
            assertEquals(200, after.status());
        }
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void requestOfHttp2_neverArrivesAsTwoOfHttp1(Variant variant) throws IOException {
        List<String> requests = new CopyOnWriteArrayList<>();
        try (ScriptedPeer peer = new ScriptedPeer(recording(requests));
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"))) {
            attack(gateway, variant);
            check(variant, requests, "GET /after HTTP/1.1");
        }
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void requestOfHttp2_neverArrivesAsAnotherByAjp(Variant variant) throws IOException {
        try (BackEnd backEnd = new BackEnd(PeerScheme.AJP);
                Gateway gateway = new Gateway("native", backEnd.peer())) {
            attack(gateway, variant);
            check(variant, backEnd.requests, "GET /after");
        }
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void requestOfHttp2_neverArrivesAsAnotherByHttp2(Variant variant) throws IOException {
        try (BackEnd backEnd = new BackEnd(PeerScheme.H2C);
                Gateway gateway = new Gateway("native", backEnd.peer())) {
            attack(gateway, variant);
            check(variant, backEnd.requests, "GET /after");
        }
    }

    /// One that is found wrong by its content may have begun to arrive: it never arrives whole.
    private static void check(Variant variant, List<String> requests, String after) {
        assertTrue(requests.contains(after), requests.toString());
        assertFalse(requests.toString().contains("smuggled"), requests.toString());
        long others = requests.stream().filter(line -> !line.equals(after)).count();
        boolean byContent = variant.name().startsWith("LENGTH_");
        assertTrue(others <= (byContent ? 1 : 0), requests.toString());
        assertEquals(1, requests.stream().filter(line -> line.equals(after)).count());
    }

    @ParameterizedTest
    @EnumSource(
            value = Variant.class,
            names = {"TRANSFER_ENCODING", "VALUE_WITH_CR_LF", "CONNECTION"})
    void trailersOfHttp2_neverFrameAnythingInHttp1(Variant variant) throws IOException {
        List<String> requests = new CopyOnWriteArrayList<>();
        String[] trailers = {variant.head[4]};
        try (ScriptedPeer peer = new ScriptedPeer(recording(requests));
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                Http2Wire client = gateway.http2()) {
            client.headers(1, false, Http2Wire.request("POST", "/outer"));
            client.data(1, false, "hello");
            client.send(
                    Http2.HEADERS,
                    Http2.FLAG_END_HEADERS | Http2.FLAG_END_STREAM,
                    1,
                    Http2Wire.block(trailers));
            assertTrue(client.message(1).reset() >= 0 || client.message(1).status() >= 400);
            assertEquals(200, client.get(3, "/after").message(3).status());
            assertFalse(requests.toString().contains("smuggled"), requests.toString());
        }
    }
}
