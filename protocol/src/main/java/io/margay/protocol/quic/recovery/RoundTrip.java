package io.margay.protocol.quic.recovery;

/// How long a packet and its acknowledgement take (RFC 9002 §5). Nanoseconds. Confined to the
/// connection's owner.
public final class RoundTrip {
    /// What is assumed before anything was measured (RFC 9002 §6.2.2).
    static final long INITIAL = 333 * Times.MILLISECOND;

    private boolean measured;
    private long latest;
    private long least = Times.NEVER;
    private long smoothed = INITIAL;
    private long variation = INITIAL / 2;
    private long firstSample = Times.NEVER;

    /// Takes a measurement.
    ///
    /// @param sample from sending to the acknowledgement
    /// @param delay what the peer says it waited, at most what it said it would
    public void sample(long sample, long delay, long now) {
        latest = Math.max(sample, 1);
        least = Math.min(least, latest);
        if (!measured) {
            measured = true;
            firstSample = now;
            smoothed = latest;
            variation = latest / 2;
            return;
        }
        long adjusted = latest >= least + delay ? latest - delay : latest;
        variation = (3 * variation + Math.abs(smoothed - adjusted)) / 4;
        smoothed = (7 * smoothed + adjusted) / 8;
    }

    /// When the first measurement was made.
    long firstSample() {
        return firstSample;
    }

    public long latest() {
        return latest;
    }

    /// The shortest of all.
    public long least() {
        return measured ? least : smoothed;
    }

    public long smoothed() {
        return smoothed;
    }

    /// How long to wait for an acknowledgement that a peer sends at once.
    public long timeout() {
        return smoothed + Math.max(4 * variation, Times.GRANULARITY);
    }

    /// After how long a packet counts as lost when later ones were acknowledged (RFC 9002 §6.1.2).
    long lossDelay() {
        long longest = Math.max(latest, smoothed);
        return Math.max(longest + longest / 8, Times.GRANULARITY);
    }

    /// Forgets what was measured: the path is another (RFC 9000 §9.4).
    public void reset() {
        measured = false;
        latest = 0;
        least = Times.NEVER;
        smoothed = INITIAL;
        variation = INITIAL / 2;
        firstSample = Times.NEVER;
    }
}
