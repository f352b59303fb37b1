package io.margay.protocol.quic.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.recovery.Congestion.Algorithm;
import org.junit.jupiter.api.Test;

final class CongestionTest {
    private static final int SIZE = 1_200;
    private static final long MS = Times.MILLISECOND;

    /// A round trip in which the whole window is sent and acknowledged.
    private long round(Congestion congestion, RoundTrip trip, long number, long now, long rtt) {
        long packets = congestion.window() / SIZE;
        trip.sample(rtt, 0, now);
        for (long i = 0; i < packets; i++) {
            SentPacket packet = new SentPacket(number + i);
            packet.time = now - rtt;
            packet.size = SIZE;
            congestion.acked(packet, congestion.window(), number + packets + i, now, trip);
        }
        return number + packets;
    }

    @Test
    void slowStart_doubles_untilRoundTripsGrow() {
        Congestion congestion = new Congestion(Algorithm.CUBIC, SIZE);
        RoundTrip trip = new RoundTrip();
        long number = round(congestion, trip, 0, 50 * MS, 50 * MS);
        number = round(congestion, trip, number, 100 * MS, 50 * MS);
        assertEquals(40 * SIZE, congestion.window());
        // A queue fills: the round trip is longer by more than an eighth.
        int rounds = 0;
        while (congestion.isSlowStart()) {
            number = round(congestion, trip, number, (150 + 50L * rounds) * MS, 60 * MS);
            assertTrue(++rounds < 20, "slow start does not end");
        }
        assertTrue(rounds >= 5, "it grows slowly for five rounds first");
        assertTrue(congestion.window() < 400 * SIZE, "and not as quickly as before");
    }

    @Test
    void cubic_comesBackToWhereItWas_inTheTimeItsFormulaSays() {
        Congestion congestion = new Congestion(Algorithm.CUBIC, SIZE);
        RoundTrip trip = new RoundTrip();
        long number = 0;
        for (int i = 0; i < 3; i++) {
            number = round(congestion, trip, number, (1 + i) * 100 * MS, 100 * MS);
        }
        long before = congestion.window();
        congestion.congested(300 * MS, 300 * MS);
        assertEquals((long) (before * 0.7), congestion.window());
        // K = cbrt(80 * 0.3 / 0.4) = 3.9 s
        long now = 400 * MS + MS;
        long half = 0;
        while (congestion.window() < before) {
            number = round(congestion, trip, number, now, 100 * MS);
            now += 100 * MS;
            half = now < 2_300 * MS ? congestion.window() : half;
            assertTrue(now < 6_000 * MS, "it does not come back");
        }
        assertTrue(now > 3_000 * MS, "it comes back at " + now / MS);
        assertTrue(half > before * 0.85, "quickly at first");
    }

    @Test
    void reno_growsByADatagramEachRound() {
        Congestion congestion = new Congestion(Algorithm.NEW_RENO, SIZE);
        RoundTrip trip = new RoundTrip();
        congestion.congested(0, 0);
        assertEquals(5 * SIZE, congestion.window());
        long number = 0;
        for (int i = 1; i <= 10; i++) {
            number = round(congestion, trip, number, 100 * i * MS, 50 * MS);
        }
        assertEquals(15 * SIZE, congestion.window());
    }

    @Test
    void window_thatTheApplicationDoesNotFill_doesNotGrow() {
        Congestion congestion = new Congestion(Algorithm.CUBIC, SIZE);
        SentPacket packet = new SentPacket(0);
        packet.size = SIZE;
        packet.time = 1;
        congestion.acked(packet, SIZE, 1, 50 * MS, new RoundTrip());
        assertEquals(10 * SIZE, congestion.window());
    }

    @Test
    void pacer_spreadsWhatIsMoreThanABurst() {
        Congestion congestion = new Congestion(Algorithm.CUBIC, SIZE);
        RoundTrip trip = new RoundTrip();
        trip.sample(100 * MS, 0, 0);
        Pacer pacer = new Pacer();
        long now = 0;
        int sent = 0;
        while (now < 50 * MS) {
            long next = pacer.next(now, congestion, trip, SIZE);
            if (next <= now) {
                pacer.sent(SIZE);
                sent++;
            } else {
                now = next;
            }
        }
        // A burst of ten, and half of a round trip at twice the window.
        assertTrue(sent >= 19 && sent <= 21, sent + " datagrams");
    }

    @Test
    void mtu_isFound_byTheLargestFirst_thenByHalves() {
        for (int real = 1_200; real <= 1_500; real += 25) {
            PathMtu mtu = new PathMtu(1_452);
            assertEquals(0, mtu.wantedProbe());
            mtu.begin(65_527);
            int probes = 0;
            for (int probe = mtu.wantedProbe(); probe > 0; probe = mtu.wantedProbe()) {
                mtu.sent();
                assertEquals(0, mtu.wantedProbe());
                if (probe <= real) {
                    mtu.acked(probe);
                } else {
                    mtu.lost(probe);
                }
                assertTrue(++probes <= 20, "no end of probes");
            }
            assertTrue(mtu.size() <= real);
            assertTrue(mtu.size() > Math.min(real, 1_452) - 17, real + " gives " + mtu.size());
        }
    }

    @Test
    void mtu_isNoLargerThanThePeerTakes_andFallsWhenNothingPasses() {
        PathMtu mtu = new PathMtu(1_452);
        mtu.begin(1_300);
        assertEquals(1_300, mtu.wantedProbe());
        mtu.sent();
        mtu.acked(1_300);
        assertEquals(0, mtu.wantedProbe());
        mtu.blackHole();
        assertEquals(1_200, mtu.size());
        PathMtu least = new PathMtu(1_452);
        least.begin(1_200);
        assertEquals(0, least.wantedProbe());
    }

    @Test
    void ecn_isGivenUp_whenCountsAreMissingOrWrong() {
        Ecn ecn = new Ecn();
        for (int i = 0; i < 10; i++) {
            assertTrue(ecn.isMarking());
            ecn.sent();
        }
        assertFalse(ecn.isMarking(), "not before the first are acknowledged");
        assertFalse(ecn.acked(new io.margay.protocol.quic.frame.AckFrame(), 1));
        assertEquals(Ecn.State.FAILED, ecn.state());
        assertFalse(ecn.isMarking());
    }
}
