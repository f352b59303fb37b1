package io.margay.protocol.quic.recovery;

/// HyStart++: sees by growing round trips that slow start is about to fill a queue, and then grows
/// more slowly until that is sure (RFC 9406). Confined to the connection's owner.
final class SlowStart {
    private static final int SAMPLES = 8;
    private static final int CAUTIOUS_ROUNDS = 5;
    private static final int CAUTIOUS_DIVISOR = 4;
    private static final long THRESHOLD_LEAST = 4 * Times.MILLISECOND;
    private static final long THRESHOLD_MOST = 16 * Times.MILLISECOND;

    private long windowEnd = -1;
    private long lastRound = Times.NEVER;
    private long thisRound = Times.NEVER;
    private int samples;
    private boolean cautious;
    private long baseline;
    private int cautiousRounds;

    /// Takes the acknowledgement of packets up to `number`.
    ///
    /// @param next the packet number that is sent next
    /// @return whether slow start is to end
    boolean acked(long number, long next, long roundTrip) {
        thisRound = Math.min(thisRound, roundTrip);
        samples++;
        boolean known = samples >= SAMPLES && thisRound != Times.NEVER && lastRound != Times.NEVER;
        if (known && cautious && thisRound < baseline) {
            cautious = false;
        } else if (known && !cautious) {
            long threshold = Math.clamp(lastRound / 8, THRESHOLD_LEAST, THRESHOLD_MOST);
            if (thisRound >= lastRound + threshold) {
                cautious = true;
                baseline = thisRound;
                cautiousRounds = 0;
            }
        }
        if (number > windowEnd) {
            lastRound = thisRound;
            thisRound = Times.NEVER;
            samples = 0;
            windowEnd = next - 1;
            return cautious && ++cautiousRounds > CAUTIOUS_ROUNDS;
        }
        return false;
    }

    /// By how much the window grows for so many octets.
    long growth(int acked) {
        return cautious ? acked / CAUTIOUS_DIVISOR : acked;
    }

    void restart() {
        windowEnd = -1;
        lastRound = Times.NEVER;
        thisRound = Times.NEVER;
        samples = 0;
        cautious = false;
    }
}
