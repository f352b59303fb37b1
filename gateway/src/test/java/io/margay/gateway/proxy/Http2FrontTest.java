package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.protocol.http2.Http2;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.Http2Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// HTTP/2 before the gateway, and every protocol behind it.
final class Http2FrontTest {
    private static final String ALL =
            """
            nio, HTTP, false
            nio, AJP, true
            nio, H2C, true
            nio, H2, false
            native, HTTP, true
            native, AJP, false
            native, H2C, false
            native, H2, true
            blocking, HTTP, false
            blocking, AJP, true
            blocking, H2C, false
            """;

    private static Gateway gateway(String transport, BackEnd backEnd, boolean secure)
            throws IOException {
        return new Gateway(
                transport,
                ProxyRules.defaults(),
                Networks.NONE,
                PeerLimits.defaults(),
                UpstreamConfig.of("u", List.of(backEnd.peer())),
                secure);
    }

    @ParameterizedTest
    @CsvSource(textBlock = ALL)
    void requests_ofManyStreams_areAnsweredEachWithItsOwn(
            String transport, PeerScheme scheme, boolean secure) throws IOException {
        try (BackEnd backEnd = new BackEnd(scheme);
                Gateway gateway = gateway(transport, backEnd, secure);
                Http2Wire client = gateway.http2()) {
            for (int i = 0; i < 60; i++) {
                client.get(1 + 2 * i, "/a" + i);
            }
            for (int i = 0; i < 60; i++) {
                assertEquals("GET /a" + i, client.message(1 + 2 * i).text());
            }
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = ALL)
    void content_ofSeveralStreams_goesBothWays(String transport, PeerScheme scheme, boolean secure)
            throws IOException {
        byte[] content = BackEnd.content(200_000);
        String text = new String(content, StandardCharsets.ISO_8859_1);
        try (BackEnd backEnd = new BackEnd(scheme);
                Gateway gateway = gateway(transport, backEnd, secure);
                Http2Wire client = gateway.http2()) {
            for (int id = 1; id <= 5; id += 2) {
                client.headers(id, false, Http2Wire.request("POST", "/echo"));
            }
            for (int at = 0; at < content.length; at += 10_000) {
                for (int id = 1; id <= 5; id += 2) {
                    String piece = text.substring(at, at + 10_000);
                    while (!client.trySend(id, piece, at + 10_000 == content.length)) {
                        client.read();
                    }
                }
            }
            for (int id = 1; id <= 5; id += 2) {
                assertArrayEquals(content, client.message(id).content());
            }
        }
    }

    /// As gRPC has it: content both ways while the request is still open, and a status behind it.
    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    nio, H2C
                    native, H2
                    blocking, H2C
                    """)
    void trailers_passBothWays(String transport, PeerScheme scheme) throws IOException {
        try (BackEnd backEnd = new BackEnd(scheme);
                Gateway gateway = gateway(transport, backEnd, false);
                Http2Wire client = gateway.http2()) {
            client.headers(
                    1,
                    false,
                    Http2Wire.request(
                            "POST", "/grpc", "te: trailers", "content-type: application/grpc"));
            for (String each : List.of("one", "two", "three")) {
                int before = client.on(1).size();
                client.data(1, false, each);
                while (client.on(1).size() < before + each.length()) {
                    client.read();
                }
            }
            client.headers(1, true, "x-sent: yes");
            Http2Wire.Message message = client.message(1);
            assertEquals("onetwothree", message.text());
            assertTrue(
                    message.heads().getLast().contains("grpc-status: 0"),
                    message.heads()::toString);
            assertTrue(message.heads().getLast().contains("x-received: yes"));
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = ALL)
    void request_thatIsCancelled_leavesTheOthers(
            String transport, PeerScheme scheme, boolean secure) throws IOException {
        try (BackEnd backEnd = new BackEnd(scheme);
                Gateway gateway = gateway(transport, backEnd, secure);
                Http2Wire client = gateway.http2()) {
            for (int i = 0; i < 20; i++) {
                client.headers(1 + 4 * i, false, Http2Wire.request("POST", "/echo"));
                client.get(3 + 4 * i, "/a" + i);
                client.reset(1 + 4 * i, Http2.CANCEL);
            }
            for (int i = 0; i < 20; i++) {
                assertEquals("GET /a" + i, client.message(3 + 4 * i).text());
            }
        }
    }
}
