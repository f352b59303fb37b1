package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.PeerScheme;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every known way to have one request taken for two is sent through the gateway to a back end that
/// records what it was asked: nothing that hides in another request ever arrives.
final class SmugglingTest {
    private static final String HIDDEN = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

    /// Framing fields of which at least two readings exist (CVE-2005-2088, CVE-2017-7658,
    /// CVE-2022-42252, CVE-2023-40225, CVE-2021-40346, CVE-2017-7657, GHSA-4vww-mc66-62m6).
    private static final List<String> FRAMINGS =
            List.of(
                    "Content-Length: 0\r\nTransfer-Encoding: chunked",
                    "Transfer-Encoding: chunked\r\nContent-Length: 6",
                    "Content-Length: 0\r\nContent-Length: 43",
                    "Content-Length: 43\r\nContent-Length: 43",
                    "Content-Length: 0, 43",
                    "Content-Length: +0",
                    "Content-Length: -0",
                    "Content-Length:",
                    "Content-Length: 0x0",
                    "Content-Length: 18446744073709551616",
                    "Content-Length: 9223372036854775808",
                    "Content-Length: 4 3",
                    "Content-Length: 0\u000b",
                    "Content-Length : 0",
                    " Content-Length: 0",
                    "X: y\r\n Content-Length: 0",
                    "Content-Length\t: 0",
                    "Content_Length: 43",
                    "X: y\nContent-Length: 43",
                    "X: y\rContent-Length: 43",
                    "X: \u0000\r\nContent-Length: 43",
                    ": 43\r\nContent-Length: 0",
                    "Transfer-Encoding: xchunked",
                    "Transfer-Encoding: chunked, identity",
                    "Transfer-Encoding: identity, chunked",
                    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
                    "Transfer-Encoding: chunked, chunked",
                    "Transfer-Encoding: \u000bchunked",
                    "Transfer-Encoding: chunked\u000b",
                    "Transfer-Encoding: \"chunked\"",
                    "Transfer-Encoding: chun\u00adked",
                    "Transfer-Encoding: chunked;q=1",
                    "Transfer-Encoding:\r\n chunked",
                    "Transfer-Encoding : chunked",
                    "Transfer_Encoding: chunked",
                    "Transfer-Encoding\u0000: chunked",
                    "Transfer-Encoding: chunked\r\nContent-Length: 0",
                    "Transfer-Encoding: gzip",
                    "X: y\nTransfer-Encoding: chunked",
                    "Expect: 100-continue, x\r\nContent-Length: 43",
                    "Expect: 100-continued\r\nContent-Length: 43",
                    "Host: b\r\nContent-Length: 0",
                    "Connection: Content-Length\r\nContent-Length: 43",
                    "Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked",
                    "Connection: Host\r\nContent-Length: 0",
                    "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AA\r\n"
                            + "Content-Length: 43",
                    "Upgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 43");

    /// Chunked contents that are malformed (CVE-2025-22871, CVE-2026-2332, CVE-2015-3183,
    /// CVE-2023-45648, CVE-2023-46589).
    private static final List<String> CHUNKS =
            List.of(
                    "0\n\n",
                    "0\r\n\n",
                    "0\n\r\n",
                    "2\r\nab\n0\r\n\r\n",
                    "2\rab\r\n0\r\n\r\n",
                    "2;a=\"\r\n\"\r\nab\r\n0\r\n\r\n",
                    "2;\nab\r\n0\r\n\r\n",
                    "0x2\r\nab\r\n0\r\n\r\n",
                    "+2\r\nab\r\n0\r\n\r\n",
                    " 2\r\nab\r\n0\r\n\r\n",
                    "2 \u000b\r\nab\r\n0\r\n\r\n",
                    "ffffffffffffffff2\r\nab\r\n0\r\n\r\n",
                    "2\r\nabc\r\n0\r\n\r\n",
                    "2\r\nabX\r\n0\r\n\r\n",
                    "-1\r\nab\r\n0\r\n\r\n",
                    "\r\n0\r\n\r\n",
                    "0\r\nContent-Length : 43\r\n\r\n",
                    "0\r\n X: y\r\n\r\n",
                    "0\r\nX: y\nZ: z\r\n\r\n",
                    "2;" + "x".repeat(5000) + "\r\nab\r\n0\r\n\r\n");

    private static Stream<String> attacks() {
        List<String> attacks = new ArrayList<>();
        for (String framing : FRAMINGS) {
            for (String method : List.of("GET", "POST")) {
                String head = method + " /outer HTTP/1.1\r\nHost: a\r\n" + framing + "\r\n\r\n";
                attacks.add(head + HIDDEN);
                attacks.add(head + "0\r\n\r\n" + HIDDEN);
            }
        }
        for (String chunks : CHUNKS) {
            attacks.add(
                    "POST /outer HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + chunks
                            + HIDDEN);
        }
        attacks.add("POST /outer HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN);
        attacks.add("GET /outer\r\n\r\n" + HIDDEN);
        attacks.add("HEAD /outer\r\n" + HIDDEN);
        attacks.add("GET /outer HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" + HIDDEN);
        attacks.add("GET http://b/outer HTTP/1.1\r\nHost: a,b\r\n\r\n" + HIDDEN);
        attacks.add("GET /outer HTTP/1.1\r\n\r\n" + HIDDEN);
        attacks.add(
                "GET /outer%0d%0a HTTP/1.1\r\nHost: a\r\nX: \r\n\r\rGET / HTTP/1.1\r\n" + HIDDEN);
        return attacks.stream();
    }

    /// What arrives at the back end is judged by how the gateway answered: a request that it took
    /// (and so the one behind it, too) or refused, but nothing in between.
    @ParameterizedTest
    @MethodSource("peers")
    void request_withTwoReadings_neverArrivesAsTwo(PeerScheme scheme, String transport)
            throws IOException {
        List<String> wrong = new ArrayList<>();
        try (BackEnd backEnd = new BackEnd(scheme);
                Gateway gateway = new Gateway(transport, backEnd.peer())) {
            int number = 0;
            for (String plain : attacks().toList()) {
                // Each has its own paths, for the back end may hear late of one that was broken
                // off.
                String mark = "-" + number++;
                String attack =
                        plain.replace("/outer", "/o" + mark).replace("/smuggled", "/s" + mark);
                int answers = answers(gateway, attack);
                List<String> seen =
                        backEnd.requests.stream().filter(line -> line.endsWith(mark)).toList();
                boolean smuggled = seen.contains("GET /s" + mark) && answers < 2;
                if (smuggled || seen.size() > answers) {
                    wrong.add(attack + " -> " + seen + ", " + answers + " answers");
                }
            }
            assertEquals(List.of(), wrong);
            try (RawHttpClient client = gateway.client()) {
                assertEquals("GET /after", client.get("/after").text());
            }
        }
    }

    private static Stream<org.junit.jupiter.params.provider.Arguments> peers() {
        return Stream.of(
                org.junit.jupiter.params.provider.Arguments.of(PeerScheme.HTTP, "nio"),
                org.junit.jupiter.params.provider.Arguments.of(PeerScheme.AJP, "native"),
                org.junit.jupiter.params.provider.Arguments.of(PeerScheme.H2C, "native"));
    }

    /// Sends and counts the answers until the gateway closes.
    private static int answers(Gateway gateway, String attack) throws IOException {
        try (RawHttpClient client = gateway.client()) {
            client.timeout(3000);
            client.send(attack);
            client.shutdownOutput();
            String all = client.readToEnd();
            int count = 0;
            for (int at = all.indexOf("HTTP/1.1 ");
                    at >= 0;
                    at = all.indexOf("HTTP/1.1 ", at + 1)) {
                count += all.startsWith("100", at + 9) ? 0 : 1;
            }
            return count;
        } catch (java.net.SocketException e) {
            return 1; // refused and reset before it was all sent
        }
    }

    @ParameterizedTest
    @MethodSource("framings")
    void framing_withTwoReadings_isRefusedOrReadOnce(String framing) throws IOException {
        try (BackEnd backEnd = new BackEnd(PeerScheme.HTTP);
                Gateway gateway = new Gateway("nio", backEnd.peer());
                RawHttpClient client = gateway.client()) {
            client.send("POST /outer HTTP/1.1\r\nHost: a\r\n" + framing + "\r\n\r\n" + HIDDEN);
            int status = client.response().status();
            if (status != 200) {
                assertTrue(backEnd.requests.isEmpty(), backEnd.requests.toString());
            }
        }
    }

    private static Stream<String> framings() {
        return FRAMINGS.stream().filter(f -> !f.contains("43") && !f.contains("chunked"));
    }
}
