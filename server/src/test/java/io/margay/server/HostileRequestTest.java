package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http1.Http1Limits;
import io.margay.server.config.HttpLimits;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RawHttpClient.Response;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Framing attacks end to end: one answer, then the end, and the smuggled request is never run.
@Tag("slow")
@ParameterizedClass
@MethodSource("wires")
@Timeout(60)
class HostileRequestTest {
    private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

    private final Wire wire;
    private final List<String> seen = new java.util.concurrent.CopyOnWriteArrayList<>();
    private TestServer server;
    private RawHttpClient client;

    HostileRequestTest(Wire wire) {
        this.wire = wire;
    }

    static java.util.stream.Stream<Wire> wires() {
        return Wire.all();
    }

    @BeforeEach
    void open() throws IOException {
        server =
                new TestServer(
                        wire,
                        exchange -> {
                            seen.add(exchange.request().target().rawPath());
                            TestHandlers.handle(exchange);
                        },
                        HttpLimits.defaults()
                                .withHttp1(Http1Limits.defaults().withBodyBytesMax(1_000_000)));
        client = server.client();
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        server.close();
    }

    /// Sends, expects one answer of these, then the end.
    private Response refused(String request, Integer... statuses) throws IOException {
        client.send(request);
        Response response = client.response();
        assertTrue(List.of(statuses).contains(response.status()), response.statusLine());
        assertTrue(response.closes());
        assertEquals(-1, client.read(), "the connection is closed after the answer");
        assertFalse(seen.contains("/smuggled"));
        return response;
    }

    private static String post(String fields) {
        return "POST /echo HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n\r\n";
    }

    @Test
    void CVE_2005_2088_lengthAndCoding_isRefused() throws IOException {
        refused(
                post("Content-Length: 5\r\nTransfer-Encoding: chunked") + "0\r\n\r\n" + SMUGGLED,
                400);
    }

    @Test
    void CVE_2013_4286_codingAndLength_isRefused() throws IOException {
        refused(post("Transfer-Encoding: chunked\r\nContent-Length: 5") + SMUGGLED, 400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nContent-Length: 5",
                "Content-Length: 5, 5",
                "Content-Length: +5",
                "Content-Length: ",
                "Content-Length: 0x5",
                "Content-Length: 99999999999999999999"
            })
    void CVE_2022_42252_CVE_2023_40225_CVE_2021_40346_oddLengths_areRefused(String fields)
            throws IOException {
        refused(post(fields) + SMUGGLED, 400, 413);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: chunked, identity",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding:\u000bchunked",
                "Transfer-Encoding: \"chunked\"",
                "Transfer-Encoding: chun\u00ffed",
                "Transfer-Encoding : chunked"
            })
    void GHSA_4vww_mc66_62m6_obfuscatedCoding_isRefused(String fields) throws IOException {
        refused(post(fields) + "0\r\n\r\n" + SMUGGLED, 400, 501);
    }

    @Test
    void CVE_2026_2835_codingOnHttp10_isRefused() throws IOException {
        refused(
                "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
                400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\nHost: x\n\n",
                "GET / HTTP/1.1\r\nHost: x\nX: y\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n"
            })
    void CVE_2025_22871_bareLineEnds_areRefused(String request) throws IOException {
        refused(request + SMUGGLED, 400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5\nhello\r\n0\r\n\r\n",
                "5\r\nhello\n0\r\n\r\n",
                "5;a=\"\r\n\"\r\nhello\r\n0\r\n\r\n",
                "5;\nhello\r\n0\r\n\r\n",
                "0x5\r\nhello\r\n0\r\n\r\n",
                "+5\r\nhello\r\n0\r\n\r\n",
                "fffffffffffffffff\r\nhello\r\n0\r\n\r\n"
            })
    void CVE_2026_2332_CVE_2026_24880_CVE_2017_7657_funkyChunks_areRefused(String chunks)
            throws IOException {
        refused(post("Transfer-Encoding: chunked") + chunks + SMUGGLED, 400);
    }

    @Test
    void CVE_2012_3544_endlessChunkExtension_isRefused() throws IOException {
        String request = post("Transfer-Encoding: chunked") + "5;" + "a".repeat(2000);
        refused(request, 400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0\r\nbad name: x\r\n\r\n", "0\r\n: x\r\n\r\n"})
    void CVE_2023_45648_CVE_2023_46589_badTrailer_isRefused(String trailer) throws IOException {
        refused(post("Transfer-Encoding: chunked") + trailer + SMUGGLED, 400);
    }

    @Test
    void expectation_otherThanContinue_isRefused() throws IOException {
        refused(post("Expect: 200-ok\r\nContent-Length: 5") + SMUGGLED, 417);
    }

    @Test
    void CL0_contentOfGet_isConsumedByItsLength() throws IOException {
        client.send(
                "GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: "
                        + SMUGGLED.length()
                        + "\r\n\r\n"
                        + SMUGGLED
                        + "GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
        assertEquals("GET /a", client.response().text());
        assertEquals("GET /b", client.response().text());
        assertFalse(seen.contains("/smuggled"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X: a\r\n folded",
                "X : a",
                " X: a",
                "no colon",
                ": empty",
                "X: a\u0000b",
                "X\u0001: a"
            })
    void CVE_2023_25725_malformedFields_areRefused(String field) throws IOException {
        refused("GET / HTTP/1.1\r\nHost: x\r\n" + field + "\r\n\r\n" + SMUGGLED, 400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /\r\n", "HEAD /\r\n\r\n", "GET / HTTP/2.0\r\n\r\n"})
    void CVE_2026_24733_CVE_2017_7656_otherVersions_areRefused(String request) throws IOException {
        refused(request, 400, 505);
    }

    /// In a segment of its own, as well as together with what follows.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET bad\r\n",
                "\r\nDELETE bad HTTP\r\n",
                "POST  \r\n",
                "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001 a handshake of TLS"
            })
    void firstLine_withoutPath_isRefused(String line) throws IOException {
        refused(line, 400);
        try (RawHttpClient another = server.client()) {
            another.send(line + SMUGGLED);
            assertEquals(400, another.response().status());
        }
    }

    @Test
    void CVE_2022_22720_CVE_2014_0227_errorWhileDiscardingContent_closes() throws IOException {
        client.send(
                "POST /early HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "5\r\nhelloXX"
                        + SMUGGLED);
        assertEquals("early", client.response().text());
        assertEquals("", client.readToEnd());
        assertFalse(seen.contains("/smuggled"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a,b\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
                "GET http://other/ HTTP/1.1\r\nHost: x\r\n\r\n"
            })
    void CVE_2026_65637_hostMissingDuplicateOrContradicted_isRefused(String request)
            throws IOException {
        refused(request, 400);
    }

    @Test
    void CVE_2011_0534_headTooLarge_isRefused() throws IOException {
        refused(
                "GET / HTTP/1.1\r\nHost: x\r\n" + ("X: " + "a".repeat(1000) + "\r\n").repeat(20),
                431);
    }

    @Test
    void targetTooLong_isRefused() throws IOException {
        refused("GET /" + "a".repeat(9000) + " HTTP/1.1\r\nHost: x\r\n\r\n", 414);
    }

    @Test
    void tooManyFields_areRefused() throws IOException {
        refused("GET / HTTP/1.1\r\nHost: x\r\n" + "X: y\r\n".repeat(120) + "\r\n", 431);
    }

    @Test
    void contentTooLarge_declared_isRefused() throws IOException {
        refused(post("Content-Length: 1000001"), 413);
    }

    @Test
    void contentTooLarge_chunked_isRefused() throws IOException {
        client.send(post("Transfer-Encoding: chunked") + "f4250\r\n");
        client.send(new byte[1000]);
        assertEquals(413, client.response().status());
    }

    @Test
    void upgradeToH2c_isNotFollowed_andBytesSentEarlyAreARequest() throws IOException {
        client.send(
                "GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                        + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"
                        + "GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
        assertEquals("GET /a", client.response().text());
        assertEquals("GET /b", client.response().text());
    }

    @Test
    void CVE_2024_34750_errorPaths_leakNothing() throws IOException {
        Random random = new Random(11);
        for (int i = 0; i < 100; i++) {
            byte[] noise = new byte[1 + random.nextInt(300)];
            random.nextBytes(noise);
            try (RawHttpClient peer = server.client()) {
                peer.send(
                        i % 3 == 0
                                ? ("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"
                                        + i)
                                : "");
                peer.send(noise);
                if (i % 2 == 0) {
                    peer.reset();
                }
            } catch (IOException e) {
                // The server may have closed first: that is what is tested.
            }
        }
        Eventually.holds(
                "only our connection is left", () -> server.stats().connectionsOpen() <= 1);
        Eventually.holds("no request is left", () -> server.stats().requestsActive() == 0);
        try (RawHttpClient next = server.client()) {
            assertEquals("GET /next", next.get("/next").text());
        }
    }
}
