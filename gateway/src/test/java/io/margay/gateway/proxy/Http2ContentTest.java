package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.gateway.config.PeerScheme;
import io.margay.protocol.http2.Http2;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The frames in which the content of a request goes to an HTTP/2 peer. Tomcat ends a connection
/// that brings it small frames of content that do not end it.
final class Http2ContentTest {
    private static final String POST = "POST /a HTTP/1.1\r\nHost: a\r\n";
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";

    /// `length`, or `length end`, of each frame of content.
    private final ConcurrentLinkedQueue<String> frames = new ConcurrentLinkedQueue<>();

    private ScriptedPeer recording() throws IOException {
        return new ScriptedPeer(talk -> {
            Http2Wire wire = Http2Wire.accept(talk.socket());
            wire.send(Http2.SETTINGS, 0, 0, Http2Wire.settings());
            for (Http2Wire.Frame frame = wire.read(); frame != null; frame = wire.read()) {
                if (frame.type() == Http2.DATA) {
                    frames.add(frame.payload().length + (frame.ends() ? " end" : ""));
                }
                if (frame.ends()) {
                    String text = wire.on(frame.id()).text();
                    wire.headers(frame.id(), false, ":status: 200");
                    wire.data(frame.id(), true, text);
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                POST + "Content-Length: 5\r\n\r\nhello",
                CHUNKED + "5\r\nhello\r\n0\r\n\r\n",
                CHUNKED + "2\r\nhe\r\n1\r\nl\r\n2\r\nlo\r\n0\r\n\r\n"
            })
    void content_thatCameWhole_goesInOneFrameThatEndsIt(String request) throws IOException {
        for (String transport : List.of("nio", "native", "blocking")) {
            frames.clear();
            try (ScriptedPeer peer = recording();
                    Gateway gateway = new Gateway(transport, Peers.http2(peer, "peer"));
                    RawHttpClient client = gateway.client()) {
                assertEquals("hello", client.send(request).response().text());
                assertEquals("hello", client.send(request).response().text());
                assertEquals(List.of("5 end", "5 end"), List.copyOf(frames), transport);
            }
        }
    }

    @Test
    void content_ofDeclaredLength_whoseClientEndsItLater_goesInOneFrameThatEndsIt()
            throws IOException {
        try (ScriptedPeer peer = recording();
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                Http2Wire client = gateway.http2()) {
            client.headers(1, false, Http2Wire.request("POST", "/a", "content-length: 5"));
            client.data(1, false, "hello").settle();
            assertEquals("hello", client.data(1, true, "").message(1).text());
            assertEquals(List.of("5 end"), List.copyOf(frames));
        }
    }

    private static ProxyRules withCertIn(String field) {
        return ProxyRules.defaults().withTlsFields(Map.of(field, TlsAttribute.PEM));
    }

    /// A server may take trailers for fields of the head.
    @ParameterizedTest
    @EnumSource(
            value = PeerScheme.class,
            names = {"HTTP", "H2C"})
    void trailers_thatOnlyAGatewayMaySend_areDropped(PeerScheme scheme) throws IOException {
        try (BackEnd backEnd = new BackEnd(scheme);
                Gateway gateway =
                        new Gateway("nio", withCertIn("X-Cert"), Networks.NONE, backEnd.peer());
                Http2Wire client = gateway.http2()) {
            client.headers(1, false, Http2Wire.request("POST", "/trailers", "te: trailers"));
            client.headers(
                    1,
                    true,
                    "x-sent: yes",
                    "x-cert: evil",
                    "ssl_client_cert: evil",
                    "proxy: evil",
                    "x-forwarded-preferred-username: evil",
                    "authorization: evil");
            assertEquals("x-sent: yes", client.message(1).text().toLowerCase(Locale.ROOT).strip());
        }
    }

    @Test
    void trailers_ofAClientThatAnnouncesThem_endTheContent() throws IOException {
        try (ScriptedPeer peer = recording();
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                Http2Wire client = gateway.http2()) {
            client.headers(
                    1,
                    false,
                    Http2Wire.request("POST", "/a", "content-length: 5", "trailer: x-sum"));
            client.data(1, false, "hello").settle();
            assertEquals("hello", client.headers(1, true, "x-sum: 1").message(1).text());
            assertEquals(List.of("5"), List.copyOf(frames));
        }
    }
}
