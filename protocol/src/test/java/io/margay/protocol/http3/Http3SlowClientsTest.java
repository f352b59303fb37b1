package io.margay.protocol.http3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http2.Http2Limits;
import io.margay.protocol.quic.stream.QuicStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Clients that take their time, or take all there is: what they make a session hold, and for how
/// long.
final class Http3SlowClientsTest {
    private static final long PATIENCE = 10_000_000_000L;

    /// A HEADERS frame of 30 000 octets of which all but the last come.
    private static byte[] unfinishedHead() {
        byte[] bytes = new byte[5 + 29_999];
        bytes[0] = Http3FrameReader.HEADERS;
        bytes[1] = (byte) 0x80;
        bytes[3] = (byte) (30_000 >> 8);
        bytes[4] = (byte) 30_000;
        return bytes;
    }

    private static QuicStream begin(Http3Rig rig, byte[] bytes) {
        QuicStream stream = rig.client.streams().open(true);
        stream.owner(new Http3Stream(rig.browser, stream, new Http3FrameReader(false, false, 0)));
        stream.writeWhole(bytes, 0, bytes.length, false);
        return stream;
    }

    @Test
    void headsThatDoNotComeWhole_count_andEndTheirStreamsAlone() {
        Http3Rig rig = new Http3Rig(1);
        long before = rig.site.bytes();
        List<QuicStream> slow = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            slow.add(begin(rig, unfinishedHead()));
        }
        rig.run(() -> rig.site.requests() == 50 && rig.client.streams().outstanding() == 0);
        long held = rig.site.bytes() - before;
        assertTrue(held >= 50 * 29_999 && held < 50 * 61_000, held + " octets");

        rig.site.late(1_000, PATIENCE);
        rig.site.late(1_000 + PATIENCE, PATIENCE);
        assertEquals(50, rig.site.requests(), "the time is not over");
        rig.site.late(1_001 + PATIENCE, PATIENCE);
        assertEquals(0, rig.site.requests());
        assertEquals(before, rig.site.bytes());
        rig.run(() ->
                slow.stream().allMatch(one -> one.stopCode() == Http3Error.REQUEST_INCOMPLETE));

        rig.request(Http3Rig.get("/"), -1, true);
        rig.run(() -> rig.toldServer.isEnded(200));
        assertNull(rig.site.failure());
    }

    @Test
    void headsThatHaveCome_areNotLate_andHoldNothing() {
        Http3Rig rig = new Http3Rig(2);
        long before = rig.site.bytes();
        rig.request(Http3Rig.post("/"), -1, false);
        rig.run(() -> rig.toldServer.requests.containsKey(0L));
        rig.site.late(1, PATIENCE);
        rig.site.late(2 + PATIENCE, PATIENCE);
        assertEquals(1, rig.site.requests());
        assertTrue(rig.site.bytes() - before < 1_000, "the table alone has grown");
    }

    /// What waits for QPACK's table is a head that is late, too.
    @Test
    void headsThatWaitForTheTable_endTheirStreams() {
        Http3Rig rig = new Http3Rig(3);
        byte[] section = new byte[20_000];
        section[0] = 2; // needs the first entry, which never comes
        byte[] head = new byte[5 + section.length];
        head[0] = Http3FrameReader.HEADERS;
        head[1] = (byte) 0x80;
        head[3] = (byte) (section.length >> 8);
        head[4] = (byte) section.length;
        System.arraycopy(section, 0, head, 5, section.length);
        QuicStream stream = begin(rig, head);
        rig.run(() -> rig.site.bytes() > section.length);
        rig.site.late(1, PATIENCE);
        rig.site.late(2 + PATIENCE, PATIENCE);
        rig.run(() -> stream.stopCode() == Http3Error.REQUEST_INCOMPLETE);
        assertTrue(rig.site.bytes() < section.length);
        assertNull(rig.site.failure());
    }

    @Test
    void streamsThatBringNothing_endTheConnection() {
        Http3Rig rig = new Http3Rig(4);
        int[] opened = {0};
        rig.run(() -> {
            QuicStream made = opened[0] < 10_000 ? rig.client.streams().open(false) : null;
            if (made != null) {
                opened[0]++;
                made.writeWhole(new byte[] {0x21}, 0, 1, true);
                made.release();
            }
            return rig.client.isClosedByPeer();
        });
        assertEquals(Http3Error.EXCESSIVE_LOAD, rig.client.closeCode());
        assertTrue(opened[0] < 300, opened[0] + " streams");
    }

    @Test
    void requestsAfterGoAway_endTheConnection() {
        Http3Rig rig = new Http3Rig(5);
        rig.site.goAway(true);
        int[] begun = {0};
        rig.run(() -> {
            Http3Stream made =
                    begun[0] < 10_000 && rig.client.isOpen()
                            ? rig.browser.request(Http3Rig.get("/"), -1, true)
                            : null;
            if (made != null) {
                begun[0]++;
                made.release();
            }
            return rig.client.isClosedByPeer();
        });
        assertEquals(Http3Error.EXCESSIVE_LOAD, rig.client.closeCode());
        assertTrue(begun[0] < 1_000, begun[0] + " requests");
    }

    /// A client that does not let one stream go on gets the others: what it does not take stays
    /// with the response.
    @Test
    void streamThatIsNotTaken_doesNotKeepTheOthers() {
        Http3Rig rig = new Http3Rig(6, 0, 4_096, Http2Limits.defaults());
        rig.told.uses = false;
        rig.request(Http3Rig.get("/large"), -1, true);
        rig.run(() -> rig.toldServer.isEnded(0));
        Http3Stream large = rig.toldServer.streams.get(0L);
        large.respond(200, new FieldList(), -1, null, false);
        byte[] content = new byte[1_000_000];
        int[] sent = {0};
        rig.run(() -> {
            int count = large.send(content, sent[0], content.length - sent[0], true);
            sent[0] += count;
            return count == 0 && rig.server.streams().outstanding() == 0;
        });
        assertTrue(sent[0] < 300_000, sent[0] + " octets");
        assertEquals(0, rig.site.output());

        Http3Stream asked = rig.request(Http3Rig.get("/small"), -1, true);
        rig.run(() -> rig.toldServer.isEnded(4));
        Http3Stream small = rig.toldServer.streams.get(4L);
        small.respond(200, new FieldList(), -1, null, false);
        assertEquals(10, small.send(content, 0, 10, true));
        rig.run(() -> rig.told.content(4).length == 10 && asked.isInputEnded());
    }
}
