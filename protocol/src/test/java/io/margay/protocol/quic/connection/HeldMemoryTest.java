package io.margay.protocol.quic.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.frame.FrameWriter;
import io.margay.protocol.quic.recovery.Times;
import io.margay.protocol.quic.stream.StreamSettings;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What a peer makes a connection hold is told, so that whoever owns it can bound that.
final class HeldMemoryTest {
    private static final int LITTLE = 32_768;

    @Test
    void contentThatIsNotAcknowledged_counts_untilItIsForgotten() {
        Rogue rogue = new Rogue();
        QuicConnection server = rogue.sim.server;
        assertTrue(server.bytes() < LITTLE, server.bytes() + " octets");
        byte[] content = new byte[1_000];
        for (int i = 0; i < 100; i++) {
            int offset = i * content.length;
            rogue.send(out -> {
                int at = out.stream(0, offset, content.length, false);
                new Random(offset).nextBytes(content);
                System.arraycopy(content, 0, out.bytes(), at, content.length);
            });
            rogue.sim.pump();
        }
        assertNull(rogue.error());
        assertEquals(100_000, server.streams().outstanding());
        assertTrue(server.bytes() > 100_000, server.bytes() + " octets");
        server.streams().clear();
        assertEquals(0, server.streams().outstanding());
        assertTrue(server.bytes() < LITTLE, server.bytes() + " octets");
    }

    @Test
    void messagesOfTheHandshake_behindAGap_count() {
        Rogue rogue = new Rogue();
        long before = rogue.sim.server.bytes();
        for (int i = 1; i < 30; i++) {
            int offset = i * 2_048;
            rogue.send(out -> out.crypto(offset, new byte[1], 0, 1));
        }
        assertNull(rogue.error());
        assertTrue(rogue.sim.server.bytes() >= before + 29 * 2_048);
    }

    @Test
    void streamsWithNextToNothing_count() {
        Rogue rogue = new Rogue();
        long before = rogue.sim.server.bytes();
        rogue.send(out -> {
            int at = out.stream(4 * 99, 0, 1, false);
            out.bytes()[at] = 1;
        });
        assertNull(rogue.error());
        assertEquals(100, rogue.sim.server.streams().count());
        assertTrue(rogue.sim.server.bytes() > before + 100_000);
    }

    /// Each frame that was sent is remembered, however little it carries.
    @Test
    void windowsThatGrowByOneOctet_count() {
        ConnectionOptions usual = ConnectionOptions.defaults();
        StreamSettings little = new StreamSettings(1, 1_048_576, 100, 8, 131_072);
        Rogue rogue =
                new Rogue(
                        new ConnectionOptions(
                                usual.version(),
                                little,
                                usual.algorithm(),
                                usual.idleMillis(),
                                usual.datagramMax(),
                                usual.migration()));
        QuicConnection server = rogue.sim.server;
        for (int i = 0; i < 100; i++) {
            int id = 4 * i;
            rogue.send(out -> out.stream(id, 0, 200, true));
        }
        rogue.sim.pump();
        long before = server.bytes();
        for (int i = 2; i < 17; i++) {
            int most = i;
            rogue.send(out -> {
                for (int stream = 0; stream < 100; stream++) {
                    assertTrue(out.maxStreamData(4L * stream, most));
                }
            });
            rogue.sim.now += 100 * Times.MILLISECOND;
            rogue.sim.pump();
        }
        assertNull(rogue.error());
        long held = server.bytes() - before;
        assertTrue(held > 10 * 100 * 40, held + " octets");
    }

    @Test
    void acknowledgementsOfOurs_areNotKept() {
        Rogue rogue = new Rogue();
        long before = rogue.sim.server.bytes();
        for (int i = 0; i < 100; i++) {
            rogue.send(FrameWriter::ping);
            int[] _ = rogue.answers();
        }
        assertTrue(rogue.sim.server.bytes() < before + LITTLE);
    }

    /// A peer that delays its acknowledgements makes the round trip, and so the PTO, as long as it
    /// likes.
    @Test
    void end_isWaitedForNoLongerThanAFewSeconds_whateverTheRoundTrip() {
        Closing closing = new Closing();
        closing.begin(false, 0, 0, 1_000_000 * Times.MILLISECOND);
        assertEquals(9_000 * Times.MILLISECOND, closing.deadline());
        Closing drained = new Closing();
        drained.closedByPeer(false, 0);
        drained.drain(0, 1_000_000 * Times.MILLISECOND);
        assertEquals(9_000 * Times.MILLISECOND, drained.deadline());
    }

    /// Each answer is smaller than what it answers, so that two servers end (RFC 9000 §10.3.3).
    @Test
    void statelessResets_betweenTwoServers_end() {
        Random chance = new Random(1);
        byte[] packet = new byte[1_500];
        int rounds = 0;
        while (packet.length > 0) {
            int size = packet.length;
            packet = StatelessReset.answer(size, new byte[16], chance);
            assertTrue(packet.length < size);
            rounds++;
        }
        assertTrue(rounds <= 25, rounds + " rounds");
    }
}
