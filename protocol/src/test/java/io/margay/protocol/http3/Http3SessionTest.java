package io.margay.protocol.http3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http2.Http2Limits;
import io.margay.protocol.multiplex.MessageStream;
import io.margay.protocol.quic.stream.QuicStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class Http3SessionTest {
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);

    @Test
    void aRequestIsAnsweredWithContentAndTrailers() {
        Http3Rig rig = new Http3Rig(1);
        Http3Stream asked = rig.request(Http3Rig.get("/a?b=c"), -1, true);
        rig.run(() -> rig.toldServer.requests.containsKey(0L));
        RequestHead head = rig.toldServer.requests.get(0L);
        assertEquals("GET", head.method());
        assertEquals("/a?b=c", head.target().raw());
        assertEquals("example.org", head.fields().get("host"));
        assertEquals(HttpVersion.HTTP_3, head.version());
        Http3Stream stream = rig.toldServer.streams.get(0L);
        assertTrue(stream.isInputEnded(), "the end came with the head");

        FieldList fields = new FieldList();
        fields.add("Content-Type", "text/plain");
        fields.add("Connection", "close");
        stream.respond(200, fields, -1, "Sun, 06 Nov 1994 08:49:37 GMT", false);
        assertEquals(HELLO.length, stream.send(HELLO, 0, HELLO.length, false));
        FieldList trailers = new FieldList();
        trailers.add("X-Sum", "42");
        stream.sendTrailers(trailers);
        stream.release();
        rig.run(() -> asked.isInputEnded());
        assertEquals(200, rig.told.responses.get(0L).status());
        assertEquals("text/plain", rig.told.responses.get(0L).fields().get("content-type"));
        assertNull(rig.told.responses.get(0L).fields().get("connection"));
        assertArrayEquals(HELLO, rig.told.content(0));
        assertEquals("42", rig.told.trailers.get(0L).get("x-sum"));
        asked.release();
        assertEquals(0, rig.site.requests());
    }

    /// Content in both directions, larger than any window, in pieces of every kind of size.
    @ParameterizedTest
    @ValueSource(ints = {7, 1_000, 16_384})
    void contentComesThroughLossAndDisorder(int pieceBytes) {
        Http3Rig rig = new Http3Rig(pieceBytes, 3, pieceBytes, Http2Limits.defaults());
        byte[] content = new byte[400_000];
        new Random(5).nextBytes(content);
        Http3Stream asked = rig.request(Http3Rig.post("/"), content.length, false);
        int[] sent = {0, 0};
        rig.run(() -> {
            sent[0] += asked.send(content, sent[0], content.length - sent[0], true);
            return rig.toldServer.isEnded(0) && asked.isOutputEnded();
        });
        assertArrayEquals(content, rig.toldServer.content(0));
        Http3Stream stream = rig.toldServer.streams.get(0L);
        stream.respond(200, new FieldList(), content.length, null, false);
        rig.run(() -> {
            sent[1] += stream.send(content, sent[1], content.length - sent[1], true);
            return asked.isInputEnded();
        });
        assertArrayEquals(content, rig.told.content(0));
        assertNull(rig.site.failure());
        assertNull(rig.browser.failure());
    }

    /// QPACK's tables are used, so that sections wait for instructions that were lost.
    @Test
    void manyRequestsShareTheTablesThroughLoss() {
        Http3Rig rig = new Http3Rig(77, 10, 4_096, Http2Limits.defaults());
        for (int round = 0; round < 20; round++) {
            long first = 20L * round;
            for (int i = 0; i < 5; i++) {
                FieldList head = Http3Rig.get("/" + round + "/" + i);
                head.add("x-round", "round " + round);
                head.add("user-agent", "a client that says the same each time");
                rig.request(head, -1, true);
            }
            rig.run(() -> rig.toldServer.isEnded(first + 16) && rig.site.requests() == 5);
            for (long id = first; id < first + 20; id += 4) {
                assertEquals(
                        "round " + round, rig.toldServer.requests.get(id).fields().get("x-round"));
                Http3Stream stream = rig.toldServer.streams.get(id);
                FieldList fields = new FieldList();
                fields.add("x-answer", "to round " + round);
                stream.respond(204, fields, -1, null, true);
                stream.release();
            }
            rig.run(() -> {
                for (long id = first; id < first + 20; id += 4) {
                    if (!rig.told.isEnded(id)) {
                        return false;
                    }
                }
                return true;
            });
            for (long id = first; id < first + 20; id += 4) {
                assertEquals(
                        "to round " + round, rig.told.responses.get(id).fields().get("x-answer"));
                rig.told.streams.get(id).release();
            }
        }
        assertNull(rig.site.failure());
        assertEquals(0, rig.site.requests());
    }

    @Test
    void unreadContentHoldsTheClientBack() {
        Http3Rig rig = new Http3Rig(3);
        rig.toldServer.uses = false;
        byte[] content = new byte[1_000_000];
        Http3Stream asked = rig.request(Http3Rig.post("/"), -1, false);
        int[] sent = {0};
        long[] idle = {0};
        long[] got = {0};
        rig.run(() -> {
            int more = asked.send(content, sent[0], content.length - sent[0], true);
            sent[0] += more;
            boolean moves = more > 0 || rig.client.streams().acknowledged() != got[0];
            got[0] = rig.client.streams().acknowledged();
            idle[0] = moves ? 0 : idle[0] + 1;
            return idle[0] > 50;
        });
        int read = rig.toldServer.content(0).length;
        int most = Http2Limits.defaults().firstWindowBytes() + 4_096;
        assertTrue(read <= most, () -> "given on: " + read);
        assertTrue(sent[0] < 500_000, () -> "sent: " + sent[0]);
        rig.toldServer.uses = true;
        assertTrue(rig.toldServer.streams.get(0L).used(read), "the rest can be read");
        rig.run(() -> {
            sent[0] += asked.send(content, sent[0], content.length - sent[0], true);
            return rig.toldServer.isEnded(0);
        });
        assertEquals(content.length, rig.toldServer.content(0).length);
    }

    @Test
    void aResetTellsTheOtherSide() {
        Http3Rig rig = new Http3Rig(4);
        Http3Stream asked = rig.request(Http3Rig.post("/"), -1, false);
        rig.run(() -> rig.toldServer.requests.containsKey(0L));
        asked.reset(MessageStream.End.CANCELLED);
        rig.run(() -> rig.toldServer.events.contains("reset 0"));
        assertTrue(rig.toldServer.streams.get(0L).isOutputEnded());
        rig.toldServer.streams.get(0L).release();
        asked.release();

        Http3Stream second = rig.request(Http3Rig.post("/"), -1, false);
        rig.run(() -> rig.toldServer.requests.containsKey(second.number()));
        rig.toldServer.streams.get(second.number()).reset(MessageStream.End.FAILED);
        rig.run(() -> rig.told.events.contains("reset " + second.number()));
        assertTrue(rig.client.isOpen());
    }

    @Test
    void whatIsMalformedEndsItsStreamAlone() {
        Http3Rig rig = new Http3Rig(5);
        FieldList upper = Http3Rig.get("/");
        upper.add("transfer-encoding2", "x");
        Http3Stream noPath = rig.request(headWithoutPath(), -1, true);
        rig.run(() -> rig.told.events.contains("reset " + noPath.number()));
        Http3Stream late = rig.request(Http3Rig.post("/"), 10, false);
        assertEquals(HELLO.length, late.send(HELLO, 0, HELLO.length, true));
        rig.run(() -> rig.told.events.contains("reset " + late.number()));
        assertTrue(rig.toldServer.events.stream().anyMatch(one -> one.startsWith("reset 4")));
        Http3Stream good = rig.request(upper, -1, true);
        rig.run(() -> rig.toldServer.isEnded(good.number()));
        assertTrue(rig.client.isOpen() && rig.server.isOpen());
    }

    private static FieldList headWithoutPath() {
        FieldList head = new FieldList();
        head.add(":method", "GET");
        head.add(":scheme", "https");
        head.add(":authority", "example.org");
        return head;
    }

    @Test
    void whatIsTooLargeIsAnswered() {
        Http3Rig rig = new Http3Rig(6);
        FieldList head = Http3Rig.get("/");
        head.add("x-large", "x".repeat(20_000));
        rig.request(head, -1, true);
        rig.run(() -> rig.toldServer.events.contains("head 0 431"));
    }

    @Test
    void afterGoAwayNothingNewIsTaken() {
        Http3Rig rig = new Http3Rig(7);
        rig.request(Http3Rig.get("/"), -1, true);
        rig.run(() -> rig.toldServer.isEnded(0));
        rig.site.goAway(true);
        Http3Stream late = rig.request(Http3Rig.get("/late"), -1, true);
        rig.run(() -> rig.told.goAway == 4 && rig.told.events.contains("reset 4"));
        assertEquals(Http3Error.REQUEST_REJECTED, late.quic.resetCode());
        assertFalse(rig.toldServer.requests.containsKey(4L));
        assertTrue(rig.server.isOpen());
    }

    @Test
    void prioritiesAreToldBeforeAndAfterTheHead() {
        Http3Rig rig = new Http3Rig(8);
        FieldList head = Http3Rig.get("/");
        head.add("priority", "u=1, i");
        rig.request(head, -1, true);
        rig.run(() -> rig.toldServer.isEnded(0));
        assertEquals(1, rig.toldServer.streams.get(0L).priority().urgency());
    }

    @Test
    void streamsThatMustNotEndEndTheConnection() {
        Http3Rig rig = new Http3Rig(9);
        QuicStream again = rig.client.streams().open(false);
        again.writeWhole(new byte[] {0}, 0, 1, false);
        rig.run(() -> rig.client.isClosedByPeer());
        assertEquals(Http3Error.STREAM_CREATION_ERROR, rig.client.closeCode());
    }

    /// The streams of QPACK are the same: one of each, whatever has become of it.
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void cve_2026_42530_secondStreamOfQpack_endsTheConnection(int type) {
        Http3Rig rig = new Http3Rig(9);
        for (int i = 0; i < 2; i++) {
            QuicStream again = rig.client.streams().open(false);
            again.writeWhole(new byte[] {(byte) type}, 0, 1, false);
        }
        rig.run(() -> rig.client.isClosedByPeer());
        assertEquals(Http3Error.STREAM_CREATION_ERROR, rig.client.closeCode());
    }

    @Test
    void unknownStreamsAndFramesArePassedOver() {
        Http3Rig rig = new Http3Rig(10);
        QuicStream unknown = rig.client.streams().open(false);
        unknown.writeWhole(new byte[] {0x21, 1, 2, 3}, 0, 4, false);
        rig.run(() -> unknown.stopCode() == Http3Error.STREAM_CREATION_ERROR);
        assertTrue(rig.client.isOpen());
    }

    /// Requests that are taken back at once are forgiven as slowly as with HTTP/2 (CVE-2023-44487).
    @Test
    void manyResetsEndTheConnection() {
        Http3Rig rig = new Http3Rig(11);
        int[] begun = {0};
        rig.run(() -> {
            rig.toldServer
                    .streams
                    .values()
                    .forEach(stream -> {
                        if (stream.isInputEnded()) {
                            stream.release();
                        }
                    });
            if (rig.client.isOpen() && begun[0] < 10_000) {
                Http3Stream made = rig.browser.request(Http3Rig.get("/"), -1, false);
                if (made != null) {
                    begun[0]++;
                    made.reset(MessageStream.End.CANCELLED);
                    made.release();
                }
            }
            return rig.client.isClosedByPeer();
        });
        assertEquals(Http3Error.EXCESSIVE_LOAD, rig.client.closeCode());
        assertTrue(begun[0] < 1_000, () -> "begun: " + begun[0]);
    }
}
