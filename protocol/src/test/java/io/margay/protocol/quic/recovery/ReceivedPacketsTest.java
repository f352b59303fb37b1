package io.margay.protocol.quic.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.frame.FrameWriter;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class ReceivedPacketsTest {
    private static final long DELAY = 25 * Times.MILLISECOND;

    private final ReceivedPackets received = new ReceivedPackets();

    private String ack(int room) {
        byte[] bytes = new byte[room];
        FrameWriter out = new FrameWriter();
        out.begin(bytes, 0, room);
        return received.write(out, new SentPacket(0), 0, 3)
                ? HexFormat.of().formatHex(bytes, 0, out.at())
                : "";
    }

    @Test
    void ack_waitsForASecondPacket_orForItsTime() {
        received.add(0, true, 0, 100, DELAY);
        assertEquals(100 + DELAY, received.due());
        received.add(1, true, 0, 200, DELAY);
        assertEquals(200, received.due());
        assertEquals("0201000001", ack(100));
        assertEquals(Times.NEVER, received.due());
        assertFalse(received.hasNews());
    }

    @Test
    void ack_ofPacketsThatAskForNone_isNotDue() {
        received.add(0, false, 0, 100, DELAY);
        assertEquals(Times.NEVER, received.due());
        assertTrue(received.hasNews());
    }

    @Test
    void ack_isDueAtOnce_behindAGap_andForAMark() {
        received.add(1, true, 0, 100, DELAY);
        assertEquals(100, received.due());
        ack(100);
        received.add(2, true, 3, 200, DELAY);
        assertEquals(200, received.due());
        // Counts of ECT(0), ECT(1) and congestion follow.
        assertEquals("0302000001000001", ack(100));
    }

    @Test
    void ack_hasAllRanges_orAsManyAsFit() {
        for (int i = 0; i < 10; i++) {
            received.add(3 * i, true, 0, 0, DELAY);
        }
        assertEquals("021b000900" + "0100".repeat(9), ack(100));
        received.hasten(0);
        assertEquals("021b000300" + "0100".repeat(3), ack(5 + 6 + 1));
        assertEquals("", ack(4));
    }

    @Test
    void duplicates_areKnown_andSoIsWhatIsTooOldToKnow() {
        for (int i = 0; i < 2 * ReceivedPackets.RANGES_MAX + 2; i += 2) {
            assertFalse(received.isDuplicate(i));
            received.add(i, true, 0, 0, DELAY);
            assertTrue(received.isDuplicate(i));
            assertFalse(received.isDuplicate(i + 1));
        }
        assertTrue(received.isDuplicate(0), "its range is forgotten");
        assertFalse(received.isDuplicate(3));
        assertEquals(6 + 2 * (ReceivedPackets.RANGES_MAX - 1), ack(1_000).length() / 2);
    }

    @Test
    void whatThePeerKnows_isNotToldAgain() {
        received.add(0, true, 0, 0, DELAY);
        received.add(2, true, 0, 0, DELAY);
        received.add(4, true, 0, 0, DELAY);
        received.told(3);
        assertEquals("0204000000", ack(100));
        assertTrue(received.isDuplicate(1));
        received.told(9);
        received.add(5, true, 0, 0, DELAY);
        assertEquals("0205000001", ack(100));
    }
}
