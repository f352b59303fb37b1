package io.margay.protocol.quic.recovery;

/// How much may be in flight (RFC 9002 §7). Confined to the connection's owner.
///
/// ```
/// SLOW START ─ loss, mark of ECN ─► RECOVERY ─ something sent since is acknowledged ─► AVOIDANCE
///     ▲  └──── round trips grow ─────────────────────────────────────────────────────────► │
///     └─────── persistent congestion ◄─────────────────────────────────────────────────────┘
/// ```
public final class Congestion {
    /// How the window grows after slow start.
    public enum Algorithm {
        NEW_RENO,
        CUBIC
    }

    /// The largest window. More than a path of 1 Gbit/s and 100 ms holds; it bounds what packets in
    /// flight cost in memory.
    static final long WINDOW_MAX = 16L << 20;

    private static final int INITIAL_BYTES = 14_720;

    private final Avoidance avoidance;
    private final SlowStart slowStart = new SlowStart();
    private int datagram;
    private long window;
    private long threshold = Long.MAX_VALUE;
    private long recoveryStart = -1;
    private long inFlight;

    /// @param datagram octets of the largest datagram
    public Congestion(Algorithm algorithm, int datagram) {
        avoidance =
                switch (algorithm) {
                    case NEW_RENO -> new Reno();
                    case CUBIC -> new Cubic();
                };
        this.datagram = datagram;
        window = initialWindow();
    }

    private long initialWindow() {
        return Math.min(10L * datagram, Math.max(INITIAL_BYTES, 2L * datagram));
    }

    private long least() {
        return 2L * datagram;
    }

    /// Datagrams may have another size.
    public void datagram(int bytes) {
        datagram = bytes;
        window = Math.max(window, least());
    }

    /// Octets that may be in flight.
    public long window() {
        return window;
    }

    /// Octets that are in flight.
    public long inFlight() {
        return inFlight;
    }

    public boolean isSlowStart() {
        return window < threshold;
    }

    /// Whether a datagram may be sent.
    public boolean allows(int bytes) {
        return inFlight + bytes <= window;
    }

    void sent(int bytes) {
        inFlight += bytes;
    }

    /// A packet is not in flight any more, whatever became of it.
    void left(int bytes) {
        inFlight = Math.max(0, inFlight - bytes);
    }

    /// Whether the window holds the sender up, and not the application.
    private boolean isLimiting(long before) {
        return window - before <= 3L * datagram || (isSlowStart() && before > window / 2);
    }

    /// A packet was acknowledged.
    ///
    /// @param before octets in flight before the ACK frame that says so
    /// @param next the packet number that is sent next
    void acked(SentPacket packet, long before, long next, long now, RoundTrip trip) {
        if (packet.time <= recoveryStart || !isLimiting(before)) {
            return;
        }
        if (isSlowStart()) {
            window += slowStart.growth(packet.size);
            if (slowStart.acked(packet.number(), next, trip.latest())) {
                threshold = window;
            }
        } else {
            window = avoidance.grow(window, packet.size, datagram, now, trip.smoothed());
        }
        window = Math.min(window, WINDOW_MAX);
    }

    /// A packet that was sent at `time` was lost, or marked.
    void congested(long time, long now) {
        if (time <= recoveryStart) {
            return;
        }
        recoveryStart = now;
        window = Math.max(least(), avoidance.reduce(window, datagram));
        threshold = window;
    }

    /// Nothing came through for long (RFC 9002 §7.6).
    void persistent() {
        window = least();
        recoveryStart = -1;
        avoidance.forget();
        slowStart.restart();
    }

    /// The path is another: nothing is known of it (RFC 9000 §9.4).
    public void reset() {
        window = initialWindow();
        threshold = Long.MAX_VALUE;
        recoveryStart = -1;
        avoidance.forget();
        slowStart.restart();
    }
}
