package io.margay.protocol.quic.recovery;

import io.margay.protocol.quic.frame.AckFrame;

/// Whether a path keeps the marks of ECN, and what they say (RFC 9000 §13.4.2). Confined to the
/// connection's owner.
final class Ecn {
    enum State {
        /// Packets are marked, and it is not known whether that is of use.
        TESTING,
        CAPABLE,
        FAILED
    }

    /// Packets that are marked before the first is acknowledged (RFC 9000 Appendix A.4).
    private static final int TEST_PACKETS = 10;

    private State state = State.TESTING;
    private int sent;
    private long ect0;
    private long ce;

    boolean isMarking() {
        return state == State.CAPABLE || (state == State.TESTING && sent < TEST_PACKETS);
    }

    void sent() {
        sent++;
    }

    State state() {
        return state;
    }

    /// Takes an ACK frame that acknowledges something new, with larger numbers than before.
    ///
    /// @param marked packets that it acknowledges and that were sent with ECT(0)
    /// @return whether congestion is told
    boolean acked(AckFrame ack, int marked) {
        if (state == State.FAILED || (marked == 0 && !ack.hasEcn())) {
            return false;
        }
        long more = ack.ect0() - ect0;
        long moreMarks = ack.ce() - ce;
        boolean right =
                ack.hasEcn()
                        && more >= 0
                        && moreMarks >= 0
                        && more + moreMarks >= marked
                        && ack.ect1() == 0
                        && ack.ect0() + ack.ce() <= sent;
        if (!right) {
            state = State.FAILED;
            return false;
        }
        ect0 = ack.ect0();
        ce = ack.ce();
        state = State.CAPABLE;
        return moreMarks > 0;
    }

    /// All packets of the test were lost: a router may drop what is marked.
    void allLost() {
        if (state == State.TESTING) {
            state = State.FAILED;
        }
    }
}
