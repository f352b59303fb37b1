package io.margay.protocol.quic.recovery;

/// Finds how large datagrams can be by sending larger ones (RFC 8899, RFC 9000 §14.3). Octets.
/// Confined to the connection's owner.
public final class PathMtu {
    /// What every path of QUIC carries.
    public static final int LEAST = 1_200;

    /// As close as is worth a further probe.
    private static final int CLOSE = 16;

    private static final int TRIES = 3;

    private final int most;
    private int size = LEAST;
    private int tooLarge;
    private int candidate;
    private boolean first = true;
    private boolean outstanding;
    private int tries;
    private boolean enabled;

    /// @param most the largest datagram that makes sense here, such as 1 452 for Ethernet and IPv6
    public PathMtu(int most) {
        this.most = Math.max(LEAST, most);
        tooLarge = this.most + 1;
    }

    /// Datagrams may have so many octets.
    public int size() {
        return size;
    }

    /// The peer takes no larger datagrams than these. Probes may begin.
    public void begin(long peersMost) {
        tooLarge = (int) Math.min(tooLarge, peersMost + 1);
        enabled = true;
    }

    /// The size of a probe that is to be sent, or 0. The largest is tried first, then the middle.
    public int wantedProbe() {
        if (!enabled || outstanding || tooLarge - size <= (candidate == 0 && first ? 1 : CLOSE)) {
            return 0;
        }
        if (candidate == 0) {
            candidate = first ? tooLarge - 1 : size + (tooLarge - size) / 2;
            first = false;
        }
        return candidate;
    }

    /// A probe was sent.
    public void sent() {
        outstanding = true;
    }

    /// It was acknowledged.
    public void acked(int bytes) {
        outstanding = false;
        candidate = 0;
        tries = 0;
        size = Math.max(size, Math.min(bytes, tooLarge - 1));
    }

    /// It was lost, which says nothing of congestion.
    public void lost(int bytes) {
        outstanding = false;
        if (++tries >= TRIES) {
            tries = 0;
            candidate = 0;
            tooLarge = Math.min(tooLarge, bytes);
        }
    }

    /// Nothing of the size passes any more: the path may have changed.
    public void blackHole() {
        if (size > LEAST) {
            tooLarge = size;
            size = LEAST;
        }
    }

    /// The path is another.
    public void reset() {
        size = LEAST;
        tooLarge = most + 1;
        outstanding = false;
        candidate = 0;
        first = true;
        tries = 0;
    }
}
