package io.margay.protocol.quic.frame;

import io.margay.protocol.quic.WireReader;

/// The content of an ACK frame (RFC 9000 §19.3). One is used for frame after frame.
public final class AckFrame {
    /// Ranges that are looked at, from the largest packet numbers down. What lies below is as if it
    /// had not been said, which costs at most a retransmission.
    static final int RANGES_MAX = 256;

    /// Range after range, the largest first: its smallest number, its largest.
    private final long[] ranges = new long[2 * RANGES_MAX];

    private int count;
    private long largest;
    private long delay;
    private boolean ecn;
    private long ect0;
    private long ect1;
    private long ce;

    /// Reads what follows the type.
    ///
    /// @return false when a range goes below packet number 0, or the frame is truncated
    boolean read(WireReader in, boolean withEcn) {
        largest = in.varInt();
        delay = in.varInt();
        long more = in.varInt();
        long from = largest - in.varInt();
        if (in.failed() || from < 0) {
            return false;
        }
        ranges[0] = from;
        ranges[1] = largest;
        count = 1;
        for (long i = 0; i < more; i++) {
            long to = from - in.varInt() - 2;
            from = to - in.varInt();
            if (in.failed() || to < 0 || from < 0) {
                return false;
            }
            if (count < RANGES_MAX) {
                ranges[2 * count] = from;
                ranges[2 * count + 1] = to;
                count++;
            }
        }
        ecn = withEcn;
        ect0 = withEcn ? in.varInt() : 0;
        ect1 = withEcn ? in.varInt() : 0;
        ce = withEcn ? in.varInt() : 0;
        return !in.failed();
    }

    /// The largest packet number that is acknowledged.
    public long largest() {
        return largest;
    }

    /// What the peer says it waited, in units that its transport parameters tell.
    public long delay() {
        return delay;
    }

    /// How many ranges there are.
    public int count() {
        return count;
    }

    /// The smallest packet number of a range; range 0 has the largest numbers.
    public long from(int range) {
        return ranges[2 * range];
    }

    /// The largest packet number of a range.
    public long to(int range) {
        return ranges[2 * range + 1];
    }

    /// Whether marks of ECN are counted.
    public boolean hasEcn() {
        return ecn;
    }

    /// Packets that were received with ECT(0).
    public long ect0() {
        return ect0;
    }

    /// Packets that were received with ECT(1).
    public long ect1() {
        return ect1;
    }

    /// Packets that were received with a mark of congestion.
    public long ce() {
        return ce;
    }
}
