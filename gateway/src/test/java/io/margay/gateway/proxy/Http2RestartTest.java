package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http2.Http2;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The only HTTP/2 peer restarts: connection after connection ends in one of the ways in which
/// those of a process that ends do, until one is taken by the next process.
final class Http2RestartTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String POST =
            "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";

    /// What becomes of a connection.
    private enum Fate {
        /// It is closed before anything is read.
        ACCEPTED_AND_CLOSED,
        /// It is reset after the preface has come, and before SETTINGS are sent.
        RESET_BEFORE_SETTINGS,
        /// Its first request is not looked at, and GOAWAY says so.
        GONE_BEFORE_ITS_FIRST_REQUEST,
        /// GOAWAY says that its first request is answered still, and it is not.
        GONE_WITHOUT_ITS_FIRST_ANSWER,
        /// It is reset when its first request has come, after SETTINGS: what was said last, such as
        /// GOAWAY, is lost.
        RESET_AT_ITS_FIRST_REQUEST,
        /// Its second request is not looked at, and GOAWAY says so.
        GONE_BEFORE_ITS_SECOND_REQUEST,
        /// It is reset when its second request has come.
        RESET_AT_ITS_SECOND_REQUEST,
        SERVES
    }

    private final AtomicInteger processed = new AtomicInteger();

    /// A peer whose connections end like this, one after the other; the last of them stands for all
    /// that follow.
    private ScriptedPeer peer(Fate... fates) throws IOException {
        Iterator<Fate> each = Arrays.asList(fates).iterator();
        return new ScriptedPeer(talk -> {
            Fate fate;
            synchronized (each) {
                fate = each.hasNext() ? each.next() : fates[fates.length - 1];
            }
            serve(fate, talk);
        });
    }

    private void serve(Fate fate, ScriptedPeer.Talk talk) throws IOException {
        if (fate == Fate.ACCEPTED_AND_CLOSED) {
            return;
        }
        Http2Wire wire = Http2Wire.accept(talk.socket());
        if (fate == Fate.RESET_BEFORE_SETTINGS) {
            talk.reset();
            return;
        }
        wire.send(Http2.SETTINGS, 0, 0, Http2Wire.settings());
        int requests = 0;
        for (Http2Wire.Frame frame = wire.read(); frame != null; frame = wire.read()) {
            if (!frame.ends()) {
                continue;
            }
            requests++;
            boolean first = requests == 1;
            switch (fate) {
                case GONE_BEFORE_ITS_FIRST_REQUEST -> {
                    wire.goAway(0, Http2.NO_ERROR);
                    return;
                }
                case RESET_AT_ITS_FIRST_REQUEST -> {
                    talk.reset();
                    return;
                }
                case GONE_WITHOUT_ITS_FIRST_ANSWER -> {
                    wire.goAway(frame.id(), Http2.NO_ERROR);
                    return;
                }
                case GONE_BEFORE_ITS_SECOND_REQUEST, RESET_AT_ITS_SECOND_REQUEST -> {
                    if (first) {
                        answer(wire, frame.id());
                    } else if (fate == Fate.RESET_AT_ITS_SECOND_REQUEST) {
                        talk.reset();
                        return;
                    } else {
                        wire.goAway(frame.id() - 2, Http2.NO_ERROR);
                        return;
                    }
                }
                default -> answer(wire, frame.id());
            }
        }
    }

    /// So many connections for requests, and a few that looked whether the peer is still there.
    private static void assertFew(int forRequests, ScriptedPeer peer) {
        int all = peer.connections();
        assertTrue(all >= forRequests && all <= 2 * forRequests, all + " connections");
    }

    private void answer(Http2Wire wire, int id) throws IOException {
        processed.incrementAndGet();
        ScriptedHttp2Peers.good(wire, id, "/a");
    }

    private static int status(RawHttpClient client, String request) throws IOException {
        return Objects.requireNonNull(client.send(request).response()).status();
    }

    /// GOAWAY on a new connection, which a process took that was about to end.
    @ParameterizedTest
    @ValueSource(strings = {GET, POST})
    void goAway_onNewConnections_isSentAgain(String request) throws IOException {
        Fate gone = Fate.GONE_BEFORE_ITS_FIRST_REQUEST;
        try (ScriptedPeer peer = peer(gone, gone, gone, Fate.SERVES);
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            assertEquals(200, status(client, request));
            assertEquals(4, peer.connections());
            assertEquals(1, processed.get());
        }
    }

    @Test
    void goAway_onEachNewConnection_endsWith502() throws IOException {
        try (ScriptedPeer peer = peer(Fate.GONE_BEFORE_ITS_FIRST_REQUEST);
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            assertEquals(502, status(client, GET));
            assertEquals(8, peer.connections());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ACCEPTED_AND_CLOSED",
                "RESET_BEFORE_SETTINGS",
                "GONE_WITHOUT_ITS_FIRST_ANSWER"
            })
    void connection_thatEndsWithoutAnAnswer_isReplaced(String fate) throws IOException {
        Fate ends = Fate.valueOf(fate);
        try (ScriptedPeer peer = peer(ends, ends, Fate.SERVES);
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            assertEquals(200, status(client, GET));
            assertFew(3, peer);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RESET_BEFORE_SETTINGS", "GONE_WITHOUT_ITS_FIRST_ANSWER"})
    void connections_thatAllEndWithoutAnAnswer_areFew(String fate) throws IOException {
        try (ScriptedPeer peer = peer(Fate.valueOf(fate));
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            assertEquals(502, status(client, GET));
            assertFew(3, peer);
        }
    }

    /// The peer may have begun to work on it, as far as anybody can tell. The only peer gets a
    /// request twice at most that may have ended its process.
    @Test
    void connectionThatIsReset_afterSettings_isReplacedOnce() throws IOException {
        Fate reset = Fate.RESET_AT_ITS_FIRST_REQUEST;
        try (ScriptedPeer peer = peer(reset, Fate.SERVES);
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            assertEquals(200, status(client, GET));
            assertFew(2, peer);
        }
        try (ScriptedPeer peer = peer(reset, reset, Fate.SERVES);
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            assertEquals(502, status(client, GET));
            assertEquals(1, processed.get());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RESET_BEFORE_SETTINGS",
                "RESET_AT_ITS_FIRST_REQUEST",
                "GONE_WITHOUT_ITS_FIRST_ANSWER"
            })
    void post_thatMayHaveBegun_isNotSentAgain(String fate) throws IOException {
        try (ScriptedPeer peer = peer(Fate.valueOf(fate), Fate.SERVES);
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            assertEquals(502, status(client, POST));
            assertEquals(0, processed.get());
            assertEquals(200, status(client, POST));
            assertEquals(1, processed.get());
        }
    }

    /// Ways that follow each other: none of them uses up what another one needs.
    @Test
    void connections_thatEndInDifferentWays_failNoGet() throws IOException {
        try (ScriptedPeer peer =
                        peer(
                                Fate.RESET_AT_ITS_SECOND_REQUEST,
                                Fate.GONE_BEFORE_ITS_FIRST_REQUEST,
                                Fate.ACCEPTED_AND_CLOSED,
                                Fate.GONE_BEFORE_ITS_SECOND_REQUEST,
                                Fate.RESET_BEFORE_SETTINGS,
                                Fate.GONE_BEFORE_ITS_FIRST_REQUEST,
                                Fate.SERVES);
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 5; i++) {
                assertEquals(200, status(client, GET));
            }
            assertFew(7, peer);
            assertEquals(5, processed.get());
        }
    }
}
