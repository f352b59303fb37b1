package io.margay.protocol.quic.recovery;

/// CUBIC: a window that grows with the time since the last congestion, quickly back to where that
/// was, slowly around there, quickly beyond (RFC 9438).
///
/// ```
/// W(t) = C (t - K)^3 + Wmax,  K = cbrt((Wmax - W(0)) / C)    in datagrams and seconds
/// ```
final class Cubic implements Avoidance {
    private static final double C = 0.4;
    private static final double BETA = 0.7;

    /// What makes it as fast as NewReno with its fall by 0.7 (RFC 9438 §4.3).
    private static final double ALPHA = 3 * (1 - BETA) / (1 + BETA);

    private static final double SECOND = 1e9;

    private double greatest;
    private double estimate;
    private double inflection;
    private double credit;
    private long epoch = Times.NEVER;

    @Override
    public long grow(long window, int acked, int datagram, long now, long roundTrip) {
        double segments = (double) window / datagram;
        if (epoch == Times.NEVER) {
            epoch = now;
            estimate = segments;
            if (greatest <= segments) {
                greatest = segments;
                inflection = 0;
            } else {
                inflection = StrictMath.cbrt((greatest - segments) / C);
            }
        }
        double ackedSegments = (double) acked / datagram;
        double alpha = estimate >= greatest ? 1 : ALPHA;
        estimate += alpha * ackedSegments / segments;
        double time = (now - epoch) / SECOND;
        if (at(time) < estimate) {
            return Math.max(window, (long) (estimate * datagram));
        }
        double target = Math.clamp(at(time + roundTrip / SECOND), segments, 1.5 * segments);
        credit += (target - segments) / segments * ackedSegments * datagram;
        long whole = (long) credit;
        credit -= whole;
        return window + whole;
    }

    private double at(double time) {
        double distance = time - inflection;
        return C * distance * distance * distance + greatest;
    }

    @Override
    public long reduce(long window, int datagram) {
        double segments = (double) window / datagram;
        greatest = segments < greatest ? segments * (1 + BETA) / 2 : segments;
        epoch = Times.NEVER;
        credit = 0;
        return (long) (window * BETA);
    }

    @Override
    public void forget() {
        greatest = 0;
        epoch = Times.NEVER;
        credit = 0;
    }
}
