package io.margay.servlet.engine.registration;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/// What the requests to one servlet have come to, since somebody wanted to know. Thread-safe.
public final class ServletCounts {
    private final LongAdder requests = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);
    private final LongAccumulator shortestNanos = new LongAccumulator(Math::min, Long.MAX_VALUE);

    ServletCounts() {}

    /// Adds a request.
    ///
    /// @param took with the filters before the servlet, in ns
    /// @param failed whether it ended with an exception or an error of the application
    public void add(long took, boolean failed) {
        requests.increment();
        if (failed) {
            errors.increment();
        }
        nanos.add(took);
        longestNanos.accumulate(took);
        shortestNanos.accumulate(took);
    }

    public long requests() {
        return requests.sum();
    }

    public long errors() {
        return errors.sum();
    }

    public long nanos() {
        return nanos.sum();
    }

    public long longestNanos() {
        return longestNanos.get();
    }

    /// `Long.MAX_VALUE` before the first request.
    public long shortestNanos() {
        return shortestNanos.get();
    }
}
