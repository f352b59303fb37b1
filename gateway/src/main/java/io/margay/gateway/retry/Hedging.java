package io.margay.gateway.retry;

import io.margay.gateway.attempt.AnswerTimes;
import io.margay.gateway.config.HedgeConfig;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// When a second member is asked for requests of one route, and how often that was. Thread-safe.
public final class Hedging {
    private final HedgeConfig config;
    private final @Nullable AnswerTimes times;
    private final LongAdder sent = new LongAdder();
    private final LongAdder won = new LongAdder();
    private final LongAdder leftOut = new LongAdder();

    public Hedging(HedgeConfig config) {
        this.config = config;
        times = config.percentile() == 0 ? null : new AnswerTimes(config.percentile());
    }

    /// How long the first member is waited for, nanoseconds; -1 = it is not known yet.
    public long afterNanos() {
        return times == null ? config.after().toNanos() : times.nanos();
    }

    /// A request was answered, by whichever member.
    ///
    /// @param tookNanos until the head of the response
    public void answered(long tookNanos) {
        if (times != null) {
            times.add(tookNanos);
        }
    }

    /// A second member is asked.
    public void sent() {
        sent.increment();
    }

    /// The second member has answered first.
    public void won() {
        won.increment();
    }

    /// No second member is asked, though it is time.
    public void leftOut() {
        leftOut.increment();
    }

    /// How it does.
    ///
    /// @param route where the route is
    public HedgeReading read(String route) {
        return new HedgeReading(
                route.isEmpty() ? "/" : route, afterNanos(), sent.sum(), won.sum(), leftOut.sum());
    }
}
