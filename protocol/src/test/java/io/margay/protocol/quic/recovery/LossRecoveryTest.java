package io.margay.protocol.quic.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.frame.AckFrame;
import io.margay.protocol.quic.frame.FrameReader;
import io.margay.protocol.quic.frame.FrameSink;
import io.margay.protocol.quic.frame.FrameWriter;
import io.margay.protocol.quic.recovery.Congestion.Algorithm;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LossRecoveryTest {
    private static final int SIZE = 1_200;
    private static final int SPACE = 2;
    private static final long MS = Times.MILLISECOND;

    private final List<String> fates = new ArrayList<>();
    private final Congestion congestion = new Congestion(Algorithm.NEW_RENO, SIZE);
    private final LossRecovery recovery =
            new LossRecovery(
                    congestion,
                    true,
                    new LossRecovery.Fate() {
                        @Override
                        public void acked(int space, SentPacket packet) {
                            fates.add("acked " + packet.number());
                        }

                        @Override
                        public void lost(int space, SentPacket packet) {
                            fates.add("lost " + packet.number());
                        }
                    });

    private void send(long now) {
        SentPacket packet = new SentPacket(recovery.next(SPACE));
        recovery.sent(SPACE, packet, SIZE, true, false, now);
    }

    /// An ACK frame of packet numbers, the largest first: `to, from, to, from …`.
    private @Nullable QuicError ack(long now, long... ranges) {
        byte[] bytes = new byte[100];
        FrameWriter out = new FrameWriter();
        out.begin(bytes, 0, 100);
        out.ack(false, ranges[0], 0, ranges.length / 2 - 1, ranges[0] - ranges[1]);
        for (int i = 2; i < ranges.length; i += 2) {
            out.ackRange(ranges[i - 1] - ranges[i] - 2, ranges[i] - ranges[i + 1]);
        }
        QuicError[] error = new QuicError[1];
        FrameSink sink =
                (FrameSink)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {FrameSink.class},
                                (self, method, arguments) -> {
                                    error[0] = recovery.ack(SPACE, (AckFrame) arguments[0], 0, now);
                                    return error[0];
                                });
        new FrameReader(false).read(Level.ONE_RTT, bytes, 0, out.at(), sink);
        return error[0];
    }

    @Test
    void frames_ofWhatIsUnderWay_count() {
        recovery.confirmed();
        for (int i = 0; i < 4; i++) {
            SentPacket packet = new SentPacket(recovery.next(SPACE));
            for (int frame = 0; frame < 100; frame++) {
                packet.add(SentFrame.Kind.MAX_DATA, frame);
            }
            recovery.sent(SPACE, packet, SIZE, true, false, i * MS);
        }
        long each = LossRecovery.PACKET_BYTES + 100L * LossRecovery.FRAME_BYTES;
        assertEquals(4 * each, recovery.bytes());
        assertNull(ack(50 * MS, 3, 3));
        assertEquals(List.of("acked 3", "lost 0"), fates.subList(0, 2));
        assertNull(ack(90 * MS, 3, 0));
        assertEquals(0, recovery.bytes());
    }

    @Test
    void packets_threeBeforeOneThatCame_areLost() {
        recovery.confirmed();
        for (int i = 0; i < 6; i++) {
            send(i * MS);
        }
        assertNull(ack(50 * MS, 5, 5));
        assertEquals(List.of("acked 5", "lost 0", "lost 1", "lost 2"), fates);
        assertEquals(2 * SIZE, congestion.inFlight());
    }

    @Test
    void packets_lessThanThreeBefore_areLostWithTime() {
        recovery.confirmed();
        send(0);
        send(0);
        assertNull(ack(40 * MS, 1, 1));
        assertEquals(List.of("acked 1"), fates);
        assertEquals(45 * MS, recovery.deadline());
        assertEquals(-1, recovery.timeout(45 * MS));
        assertEquals(List.of("acked 1", "lost 0"), fates);
        assertEquals(Times.NEVER, recovery.deadline());
    }

    @Test
    void silence_isAskedAbout_laterEachTime() {
        recovery.confirmed();
        send(0);
        long first = recovery.deadline();
        assertEquals(333 * MS + 4 * 333 * MS / 2 + 25 * MS, first);
        assertEquals(SPACE, recovery.timeout(first));
        send(first);
        assertEquals(first + 2 * first, recovery.deadline());
        assertNull(ack(first + MS, 1, 0));
        assertEquals(0, recovery.ptoCount());
        assertEquals(Times.NEVER, recovery.deadline());
    }

    @Test
    void client_withNothingInFlight_keepsAskingUntilItsAddressIsKnown() {
        LossRecovery client =
                new LossRecovery(
                        congestion,
                        false,
                        new LossRecovery.Fate() {
                            @Override
                            public void acked(int space, SentPacket packet) {}

                            @Override
                            public void lost(int space, SentPacket packet) {}
                        });
        assertTrue(client.deadline() < Times.NEVER);
        assertEquals(0, client.timeout(client.deadline()));
        client.handshakeKeys();
        assertEquals(1, client.timeout(client.deadline()));
        client.confirmed();
        assertEquals(Times.NEVER, client.deadline());
    }

    /// Optimistic acknowledgements (RFC 9000 §21.4).
    @Test
    void ackOfWhatWasNeverSent_endsTheConnection() {
        send(0);
        assertSame(LossRecovery.NEVER_SENT, ack(MS, 1, 0));
        recovery.skip();
        send(0);
        assertSame(LossRecovery.NEVER_SENT, ack(MS, 2, 0));
        assertNull(ack(MS, 2, 2, 0, 0));
        assertEquals(List.of("acked 2", "acked 0"), fates);
    }

    @Test
    void ackFlood_changesNothing() {
        for (int i = 0; i < 10; i++) {
            send(i * MS);
        }
        assertNull(ack(40 * MS, 9, 0));
        long window = congestion.window();
        for (int i = 0; i < 10_000; i++) {
            assertNull(ack(41 * MS, 9, 7, 5, 0));
        }
        assertEquals(10, fates.size());
        assertEquals(window, congestion.window());
    }

    @Test
    void persistentCongestion_makesTheWindowTheLeast() {
        recovery.confirmed();
        send(0);
        assertNull(ack(10 * MS, 0, 0));
        for (int i = 0; i < 5; i++) {
            send((20 + 1_000 * i) * MS);
        }
        send(9_000 * MS);
        assertNull(ack(9_010 * MS, 6, 6));
        assertEquals(2 * SIZE, congestion.window());
    }

    @Test
    void roundTrip_isSmoothed_withoutWhatThePeerWaited() {
        RoundTrip trip = new RoundTrip();
        trip.sample(100 * MS, 0, 0);
        assertEquals(100 * MS, trip.smoothed());
        assertEquals(300 * MS, trip.timeout());
        trip.sample(120 * MS, 20 * MS, 0);
        assertEquals(100 * MS, trip.smoothed());
        trip.sample(110 * MS, 20 * MS, 0);
        assertEquals(101_250_000, trip.smoothed());
        assertEquals(100 * MS, trip.least());
    }

    @Test
    void window_growsInSlowStart_fallsOnLoss_andNotTwiceInARoundTrip() {
        recovery.confirmed();
        for (int i = 0; i < 10; i++) {
            assertTrue(congestion.allows(SIZE));
            send(0);
        }
        assertFalse(congestion.allows(SIZE));
        assertNull(ack(10 * MS, 9, 0));
        assertEquals(20 * SIZE, congestion.window());
        for (int i = 0; i < 20; i++) {
            send(10 * MS);
        }
        assertNull(ack(20 * MS, 19, 15));
        assertEquals(10 * SIZE, congestion.window() / SIZE * SIZE - 2 * SIZE);
        long after = congestion.window();
        assertNull(ack(20 * MS, 29, 26));
        assertEquals(after, congestion.window());
    }

    @Test
    void discard_ofASpace_takesWhatItHadInFlight() {
        send(0);
        recovery.discard(SPACE);
        assertEquals(0, congestion.inFlight());
        assertEquals(Times.NEVER, recovery.deadline());
    }
}
