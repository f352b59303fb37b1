package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.PeerState;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.protocol.http2.Http2;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.DataInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clients that keep a member waiting for their content, and a member that loses its patience.
final class SlowClientTest {
    private static final String THREE_OF_TEN =
            "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc";

    /// Takes what has come of the content, and breaks the request off.
    private static void breakOff(ScriptedPeer.Talk talk, PeerScheme scheme) throws IOException {
        switch (scheme) {
            case H2C -> {
                Http2Wire wire = Http2Wire.accept(talk.socket());
                wire.send(Http2.SETTINGS, 0, 0, Http2Wire.settings());
                int id = wire.await(Http2.DATA).id();
                wire.reset(id, Http2.CANCEL).awaitEnd();
            }
            case AJP -> {
                DataInputStream in = new DataInputStream(talk.in());
                for (int packet = 0; packet < 2; packet++) {
                    in.readUnsignedShort();
                    in.readFully(new byte[in.readUnsignedShort()]);
                }
                talk.reset();
            }
            default -> {
                talk.head();
                talk.body(3);
                talk.reset();
            }
        }
    }

    private static PeerLimits limits(Duration contentPause) {
        PeerLimits all = PeerLimits.defaults();
        return new PeerLimits(
                all.responses(),
                all.http2(),
                all.requestHeadBytesMax(),
                all.interimsMax(),
                all.contentPieceBytes(),
                contentPause,
                all.contentRateMin(),
                all.continueWait(),
                all.replayBytesMax(),
                all.heldResponseBytesMax(),
                all.openResponseHeld(),
                all.upgradedIdle(),
                all.silence());
    }

    private static Peer onlyPeer(Gateway gateway) {
        return gateway.upstream.peers().getFirst();
    }

    /// What the client is told, and what becomes of the member.
    private static String outcome(String transport, PeerScheme scheme, Duration contentPause)
            throws IOException {
        try (ScriptedPeer peer = new ScriptedPeer(talk -> breakOff(talk, scheme));
                Gateway gateway =
                        new Gateway(
                                transport,
                                ProxyRules.defaults(),
                                Networks.NONE,
                                limits(contentPause),
                                UpstreamConfig.of(
                                        "backend",
                                        List.of(
                                                Peers.http(peer, "peer")
                                                        .withAddress(
                                                                PeerAddress.of(
                                                                        scheme,
                                                                        "127.0.0.1",
                                                                        peer.port())))));
                RawHttpClient client = gateway.client()) {
            int status = client.send(THREE_OF_TEN).response().status();
            return status + " " + onlyPeer(gateway).state();
        }
    }

    @ParameterizedTest
    @CsvSource({"nio,HTTP", "nio,AJP", "nio,H2C", "native,HTTP", "blocking,HTTP", "blocking,H2C"})
    void client_thatPausesInItsContent_isAnswered408_andTheMemberIsNotToBlame(
            String transport, PeerScheme scheme) throws IOException {
        String outcome = outcome(transport, scheme, Duration.ZERO);
        assertEquals("408 " + PeerState.OK, outcome);
    }

    @Test
    void member_thatBreaksOffBeforeTheClientIsSlow_isInError() throws IOException {
        String outcome = outcome("nio", PeerScheme.HTTP, Duration.ofMinutes(1));
        assertEquals("502 " + PeerState.ERROR, outcome);
    }
}
