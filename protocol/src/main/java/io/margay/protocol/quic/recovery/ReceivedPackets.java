package io.margay.protocol.quic.recovery;

import io.margay.protocol.quic.RangeSet;
import io.margay.protocol.quic.VarInt;
import io.margay.protocol.quic.frame.FrameWriter;

/// Which packets of a space have come, and when the peer is to be told (RFC 9000 §13.2). Confined
/// to the connection's owner.
public final class ReceivedPackets {
    /// Ranges that are remembered. What lies below the last is taken for a duplicate.
    static final int RANGES_MAX = 32;

    /// Packets that ask for an acknowledgement, of which each second gets one at once.
    private static final int ELICITING_MAX = 2;

    private final RangeSet ranges = new RangeSet();
    private long floor;
    private long largest = -1;
    private long largestTime;
    private int unacknowledged;
    private long due = Times.NEVER;
    private boolean anew;
    private long ect0;
    private long ect1;
    private long ce;

    /// The largest packet number so far, or -1.
    public long largest() {
        return largest;
    }

    /// Whether a packet has come before, or might have.
    public boolean isDuplicate(long number) {
        return number < floor || ranges.contains(number);
    }

    /// A packet has come that is no duplicate.
    ///
    /// @param eliciting whether it asks for an acknowledgement
    /// @param ecn its mark: 0 none, 1 ECT(1), 2 ECT(0), 3 congestion
    /// @param delay how long the acknowledgement may wait
    public void add(long number, boolean eliciting, int ecn, long now, long delay) {
        boolean inOrder = number == largest + 1;
        ranges.add(number, number + 1);
        while (ranges.count() > RANGES_MAX) {
            floor = ranges.to(0);
            ranges.removeFirst();
        }
        if (number > largest) {
            largest = number;
            largestTime = now;
        }
        switch (ecn) {
            case 1 -> ect1++;
            case 2 -> ect0++;
            case 3 -> ce++;
            default -> {}
        }
        anew = true;
        if (eliciting) {
            unacknowledged++;
            boolean atOnce = unacknowledged >= ELICITING_MAX || !inOrder || ecn == 3;
            due = Math.min(due, atOnce ? now : Times.after(now, delay));
        }
    }

    /// When an ACK frame is due.
    public long due() {
        return due;
    }

    /// Whether an ACK frame would tell something new.
    public boolean hasNews() {
        return anew;
    }

    /// Makes an ACK frame due now.
    public void hasten(long now) {
        if (largest >= 0) {
            due = Math.min(due, now);
        }
    }

    /// Writes an ACK frame with as many ranges as there is room for.
    ///
    /// @param exponent of our transport parameters, by which the delay is scaled
    /// @return whether it was written
    public boolean write(FrameWriter out, SentPacket packet, long now, int exponent) {
        int last = ranges.count() - 1;
        if (last < 0) {
            return false;
        }
        boolean marks = ect0 + ect1 + ce > 0;
        int tail = marks ? VarInt.size(ect0) + VarInt.size(ect1) + VarInt.size(ce) : 0;
        long delay = Math.min(VarInt.MAX, (Math.max(0, now - largestTime) / 1_000) >> exponent);
        long first = ranges.to(last) - 1 - ranges.from(last);
        int room =
                out.room()
                        - tail
                        - (3 + VarInt.size(largest) + VarInt.size(delay) + VarInt.size(first));
        if (room < 0) {
            return false;
        }
        int more = 0;
        for (int i = last - 1; i >= 0; i--) {
            room -= VarInt.size(gap(i)) + VarInt.size(length(i));
            if (room < 0) {
                break;
            }
            more++;
        }
        out.ack(marks, largest, delay, more, first);
        for (int i = last - 1; i >= last - more; i--) {
            out.ackRange(gap(i), length(i));
        }
        if (marks) {
            out.ackCounts(ect0, ect1, ce);
        }
        packet.add(SentFrame.Kind.ACK, largest);
        due = Times.NEVER;
        unacknowledged = 0;
        anew = false;
        return true;
    }

    private long gap(int range) {
        return ranges.from(range + 1) - ranges.to(range) - 1;
    }

    private long length(int range) {
        return ranges.to(range) - 1 - ranges.from(range);
    }

    /// The peer has got an ACK frame of ours, so that what it told need not be told again.
    public void told(long upTo) {
        if (upTo > floor) {
            floor = Math.max(floor, Math.min(upTo, largest));
            ranges.remove(0, floor);
        }
    }
}
