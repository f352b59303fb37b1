package io.margay.protocol.quic.recovery;

/// NewReno: a datagram more in each round trip, half on congestion (RFC 9002 §7.3).
final class Reno implements Avoidance {
    private long credit;

    @Override
    public long grow(long window, int acked, int datagram, long now, long roundTrip) {
        credit += acked;
        if (credit < window) {
            return window;
        }
        credit -= window;
        return window + datagram;
    }

    @Override
    public long reduce(long window, int datagram) {
        credit = 0;
        return window / 2;
    }

    @Override
    public void forget() {
        credit = 0;
    }
}
