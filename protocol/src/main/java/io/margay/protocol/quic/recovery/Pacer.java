package io.margay.protocol.quic.recovery;

/// Spreads what is sent over the round trip, so that it does not come to a queue all at once (RFC
/// 9002 §7.7). A bucket of octets that fills at 1.25 times the rate of the window, at twice in slow
/// start. Confined to the connection's owner.
public final class Pacer {
    /// Datagrams that may be sent at once; as many as the first flight has.
    private static final int BURST = 10;

    /// A burst lasts at least as long as timers are inexact.
    private static final long BURST_TIME = 2 * Times.MILLISECOND;

    private double tokens = -1;
    private long filled;

    private static double rate(Congestion congestion, RoundTrip trip) {
        double gain = congestion.isSlowStart() ? 2 : 1.25;
        return gain * congestion.window() / Math.max(trip.smoothed(), Times.GRANULARITY);
    }

    private void fill(long now, Congestion congestion, RoundTrip trip, int datagram) {
        double rate = rate(congestion, trip);
        double most = Math.max((double) BURST * datagram, rate * BURST_TIME);
        tokens = tokens < 0 ? most : Math.min(most, tokens + rate * (now - filled));
        filled = now;
    }

    /// When a datagram may be sent: now or earlier, or later.
    public long next(long now, Congestion congestion, RoundTrip trip, int datagram) {
        fill(now, congestion, trip, datagram);
        if (tokens >= datagram) {
            return now;
        }
        return now + Math.max(1, (long) Math.ceil((datagram - tokens) / rate(congestion, trip)));
    }

    /// A datagram was sent.
    public void sent(int bytes) {
        tokens = Math.max(0, tokens - bytes);
    }
}
