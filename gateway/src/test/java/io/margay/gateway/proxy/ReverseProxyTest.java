package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.PeerScheme;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests through the gateway to Margay itself, on every transport and by every protocol.
final class ReverseProxyTest {
    private static final String ALL =
            """
            nio, HTTP
            nio, AJP
            nio, H2C
            nio, H2
            native, HTTP
            native, AJP
            native, H2C
            native, H2
            blocking, HTTP
            blocking, AJP
            blocking, H2C
            blocking, H2
            """;

    @ParameterizedTest
    @CsvSource(textBlock = ALL)
    void requests_oneAfterTheOther_areAnsweredOnOneConnection(String transport, PeerScheme scheme)
            throws IOException {
        try (BackEnd backEnd = new BackEnd(scheme);
                Gateway gateway = new Gateway(transport, backEnd.peer());
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 20; i++) {
                assertEquals("GET /a" + i, client.get("/a" + i).text());
            }
            assertEquals(1, backEnd.connections());
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = ALL)
    void content_ofEitherFraming_arrivesByteForByte(String transport, PeerScheme scheme)
            throws IOException {
        byte[] content = BackEnd.content(300_000);
        try (BackEnd backEnd = new BackEnd(scheme);
                Gateway gateway = new Gateway(transport, backEnd.peer());
                RawHttpClient client = gateway.client()) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n");
            client.send(content);
            assertArrayEquals(content, client.response().body());
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int at = 0; at < content.length; at += 50_000) {
                client.send("c350\r\n")
                        .send(java.util.Arrays.copyOfRange(content, at, at + 50_000));
                client.send("\r\n");
            }
            client.send("0\r\n\r\n");
            assertArrayEquals(content, client.response().body());
            assertArrayEquals(content, client.get("/bytes/300000").body());
            assertArrayEquals(BackEnd.content(5000), client.get("/bytes/5000").body());
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = ALL)
    void fields_ofStrangers_areStripped(String transport, PeerScheme scheme) throws IOException {
        try (BackEnd backEnd = new BackEnd(scheme);
                Gateway gateway = new Gateway(transport, backEnd.peer());
                RawHttpClient client = gateway.client()) {
            String seen =
                    client.send(
                                    "GET /fields HTTP/1.1\r\nHost: shop.example\r\n"
                                            + "X-Forwarded-For: 1.2.3.4\r\n"
                                            + "X-Forwarded-X: evil\r\n"
                                            + "X-Forwarded-Protocol: evil\r\n"
                                            + "X-Forwarded-Tls-Client-Cert: evil\r\n"
                                            + "X-Forwarded-Preferred-Username: evil\r\n"
                                            + "Forwarded: for=1.2.3.4\r\n"
                                            + "X-Hop: 1\r\nConnection: keep-alive, X-Hop\r\n"
                                            + "Proxy: evil\r\nSSL_CLIENT_CERT: evil\r\n"
                                            + "TE: trailers\r\nX-Keep: yes\r\n\r\n")
                            .response()
                            .text();
            assertTrue(tells(seen, "Host: shop.example"), seen);
            assertEquals(scheme.isHttp(), tells(seen, "X-Forwarded-For: 127.0.0.1"), seen);
            assertTrue(seen.contains("remote: /127.0.0.1"), seen);
            assertTrue(tells(seen, "Via: 1.1 margay"), seen);
            assertTrue(tells(seen, "X-Keep: yes"), seen);
            assertFalse(seen.contains("1.2.3.4"), seen);
            assertFalse(tells(seen, "X-Hop"), seen);
            assertFalse(seen.contains("evil"), seen);
            assertEquals(scheme == PeerScheme.AJP, seen.contains("activation: ACT"), seen);
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = ALL)
    void fields_ofTrustedFrontEnds_areKeptAndContinued(String transport, PeerScheme scheme)
            throws IOException {
        Networks trusted = Networks.of(List.of("10.0.0.0/8", "127.0.0.1"));
        try (BackEnd backEnd = new BackEnd(scheme);
                Gateway gateway =
                        new Gateway(transport, ProxyRules.defaults(), trusted, backEnd.peer());
                RawHttpClient client = gateway.client()) {
            String seen =
                    client.send(
                                    "GET /fields HTTP/1.1\r\nHost: shop.example\r\n"
                                            + "X-Forwarded-For: 1.2.3.4\r\n"
                                            + "X-Forwarded-Proto: https\r\n"
                                            + "X-Forwarded-Client-Cert: Hash=1\r\n"
                                            + "Via: 1.1 cache\r\n\r\n")
                            .response()
                            .text();
            assertTrue(tells(seen, "X-Forwarded-For: 1.2.3.4, 127.0.0.1"), seen);
            assertTrue(tells(seen, "X-Forwarded-Proto: https"), seen);
            assertTrue(tells(seen, "X-Forwarded-Client-Cert: Hash=1"), seen);
            assertTrue(tells(seen, "Via: 1.1 cache, 1.1 margay"), seen);
        }
    }

    /// Field names are in lower case with HTTP/2.
    private static boolean tells(String seen, String line) {
        return seen.toLowerCase(Locale.ROOT).contains(line.toLowerCase(Locale.ROOT));
    }

    @Test
    void gateway_thatLeadsToItself_is508() throws IOException {
        try (BackEnd backEnd = new BackEnd(PeerScheme.HTTP);
                Gateway inner = new Gateway("nio", backEnd.peer());
                RawHttpClient client = inner.client()) {
            String via = "Via: " + "1.1 margay, ".repeat(10) + "1.1 x\r\n";
            client.send("GET /a HTTP/1.1\r\nHost: a\r\n" + via + "\r\n");
            assertEquals(508, client.response().status());
        }
    }
}
