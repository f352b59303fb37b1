package io.margay.gateway.attempt;

import java.util.concurrent.TimeUnit;

/// How fast a peer answers: a moving average that follows slower answers at once and forgets two
/// thirds of them in ten seconds ("peak EWMA"). Each failure doubles what it costs, each good
/// answer takes back half of the failures: a single one is forgotten with the next answers, and a
/// peer that fails all is left alone after a few. A peer that has not answered since it got a
/// request costs at least that time, so that a gateway with few requests does not send the next
/// ones to a peer that has stalled. Thread-safe without a lock: of two answers at the same moment
/// one may not count.
public final class PeerTimes {
    /// After this time an answer counts for a third.
    private static final double DECAY_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// What a peer costs that has failed and answered nothing yet, so that it is not the fastest.
    private static final double FAILED_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// Failures that are remembered at most: 65 536 × the time.
    private static final double FAILURES_MAX = 16;

    private volatile double time;
    private volatile double failures;
    private volatile long seenNanos;

    /// When it got the first request since its last answer; before that answer = none since.
    private volatile long begunNanos;

    /// Counts a request that it gets.
    ///
    /// @param isOnly whether it has no other
    public void begun(boolean isOnly, long now) {
        if (isOnly || begunNanos - seenNanos <= 0) {
            begunNanos = now;
        }
    }

    /// A request that has begun does not count after all: its client may be slow.
    ///
    /// @param since a time before it began, after those before
    public void withdraw(long since) {
        if (begunNanos - since >= 0) {
            begunNanos = seenNanos;
        }
    }

    /// Counts an answer.
    ///
    /// @param nanos how long it took; 0 = none has come
    public void add(long nanos, boolean failed, long now) {
        double before = time;
        double left = left(now);
        double took = Math.max(failed ? before : 1, (double) nanos);
        time = took > before ? took : before * left + took * (1 - left);
        if (failed && before == 0) {
            time = 0; // how long good answers take is not known
        }
        failures = failed ? Math.min(failures * left + 1, FAILURES_MAX) : failures * left / 2;
        seenNanos = now;
    }

    private double left(long now) {
        return Math.exp(-Math.max(0, now - seenNanos) / DECAY_NANOS);
    }

    /// How long a good answer takes, failures before it included, in nanoseconds; less the longer
    /// none has come, so that a slow peer is tried again. 0 = it has not answered yet.
    ///
    /// @param isBusy whether it has requests
    public double cost(long now, boolean isBusy) {
        double known = known(now);
        long begun = begunNanos;
        boolean isSilent = isBusy && known > 0 && begun - seenNanos > 0;
        return isSilent ? Math.max(known, (double) (now - begun)) : known;
    }

    private double known(long now) {
        double failed = failures;
        double known = time == 0 && failed > 0 ? FAILED_NANOS : time;
        double left = known == 0 ? 0 : left(now);
        return known * left * (failed == 0 ? 1 : Math.pow(2, failed * left));
    }
}
