package io.margay.protocol.http3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.quic.stream.QuicStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Frames and instructions that are small for a client and cost the server more.
final class Http3FloodsTest {
    private static final int MANY = 100_000;

    /// Writes octets to a buffer of the client's, again and again, until the server ends it.
    ///
    /// @return how often they were written
    private static int flood(Http3Rig rig, Runnable once) {
        int[] written = {0};
        rig.run(() -> {
            for (int i = 0; i < 100 && written[0] < MANY && rig.client.isOpen(); i++) {
                written[0]++;
                once.run();
            }
            return rig.client.isClosedByPeer();
        });
        assertEquals(Http3Error.EXCESSIVE_LOAD, rig.client.closeCode());
        return written[0];
    }

    private static QuicStream post(Http3Rig rig) {
        Http3Stream request = rig.request(Http3Rig.post("/"), -1, false);
        rig.run(() -> rig.toldServer.requests.containsKey(request.number()));
        return request.quic;
    }

    @Test
    void contentOfNothing_endsTheConnection() {
        Http3Rig rig = new Http3Rig(1);
        QuicStream stream = post(rig);
        int frames = flood(rig, () -> stream.writeWhole(new byte[] {0, 0}, 0, 2, false));
        assertTrue(frames < 3_000, frames + " frames");
    }

    @Test
    void framesOfUnknownTypes_endTheConnection() {
        Http3Rig rig = new Http3Rig(2);
        QuicStream stream = post(rig);
        int frames = flood(rig, () -> stream.writeWhole(new byte[] {0x21, 0}, 0, 2, false));
        assertTrue(frames < 3_000, frames + " frames");
    }

    /// GREASE, and an empty frame at the end, are what honest clients send.
    @Test
    void someFramesOfNothing_changeNothing() {
        Http3Rig rig = new Http3Rig(3);
        for (int i = 0; i < 300; i++) {
            QuicStream stream = rig.request(Http3Rig.post("/"), -1, false).quic;
            stream.writeWhole(new byte[] {0x21, 1, 9, 0, 1, 'a', 0, 0}, 0, 8, true);
            rig.run(() -> rig.toldServer.isEnded(stream.id()));
            rig.toldServer.streams.get(stream.id()).respond(204, new FieldList(), -1, null, true);
            rig.toldServer.streams.get(stream.id()).release();
            rig.run(() -> rig.told.isEnded(stream.id()));
            rig.told.streams.get(stream.id()).release();
        }
        assertNull(rig.site.failure());
    }

    /// Each looks through the sections that wait for an acknowledgement.
    @Test
    void cancellationsOfNoStream_endTheConnection() {
        Http3Rig rig = new Http3Rig(4);
        int sent = flood(rig, () -> rig.browser.decoder.output().put(0x44));
        assertTrue(sent < 3_000, sent + " instructions");
    }

    /// An octet may move an entry of the table. Here its size is set, which the client's encoder
    /// need not know of.
    @Test
    void instructionsForTheTable_withoutRequests_endTheConnection() {
        Http3Rig rig = new Http3Rig(5);
        Http3Buffer out = rig.browser.writer.encoder.instructions();
        byte[] capacity = {0x3f, (byte) 0xe1, 0x1f};
        int sent = flood(rig, () -> out.put(capacity, 0, capacity.length));
        assertTrue(sent < 3_000, sent + " instructions");
    }

    @Test
    void instructionsForTheTable_thatFillIt_changeNothing() {
        byte[] section = new byte[128];
        Arrays.fill(section, (byte) 0);
        QpackDecoder decoder = new QpackDecoder(4_096, 16);
        assertTrue(decoder.encoderData(new byte[] {0x3f, (byte) 0xe1, 0x1f}, 0, 3));
        assertTrue(decoder.encoderData(new byte[] {0x41, 'a', 1, 'b'}, 0, 4));
        assertTrue(decoder.encoderData(section, 0, 126));
        assertEquals(0, decoder.takeInstructionsOver(128));
        assertTrue(decoder.encoderData(section, 0, 2));
        assertEquals(2, decoder.takeInstructionsOver(128));
        assertEquals(0, decoder.takeInstructionsOver(128), "they are told once");
    }
}
