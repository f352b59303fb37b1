package io.margay.gateway.limit;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.LogRate;
import io.margay.server.host.StatusResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// What the limiters of one limit count together, and how they refuse. Thread-safe.
final class LimitCounters {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway.limit");

    /// That it is not known when another try is worth it.
    static final long UNKNOWN = -1;

    private final RequestLimit limit;
    private final String host;
    private final int waitingMax;
    private final LogRate reports;
    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder admitted = new LongAdder();
    private final LongAdder delayed = new LongAdder();
    private final LongAdder refused = new LongAdder();

    /// @param host whose limit it is, for the log
    LimitCounters(RequestLimit limit, String host, int waitingMax, LongSupplier nanos) {
        this.limit = limit;
        this.host = host;
        this.waitingMax = waitingMax;
        this.reports = new LogRate(Duration.ofMinutes(1), nanos);
    }

    LimitReading read(long forgotten) {
        return new LimitReading(
                limit.name(), admitted.sum(), delayed.sum(), refused.sum(), forgotten);
    }

    void admitted() {
        admitted.increment();
    }

    /// Takes a place among the requests that wait.
    ///
    /// @return false when there is none
    boolean beginsToWait() {
        if (waiting.incrementAndGet() > waitingMax) {
            waiting.decrementAndGet();
            return false;
        }
        delayed.increment();
        return true;
    }

    void hasWaited() {
        waiting.decrementAndGet();
    }

    /// A request is too much.
    ///
    /// @param afterNanos when it is worth another try, or [#UNKNOWN]
    Limiter.Outcome refuse(Exchange exchange, int status, long afterNanos) throws IOException {
        refused.increment();
        if (reports.isDue()) {
            LOG.log(
                    Level.WARNING,
                    "{0}: limit {1} {2} {3} (and what follows in this minute)",
                    host,
                    limit.name(),
                    limit.logOnly() ? "would refuse" : "refuses",
                    exchange.remote());
        }
        boolean goesOn =
                limit.logOnly()
                        || exchange.notes().defers(exchange, it -> answer(it, status, afterNanos));
        if (!goesOn) {
            answer(exchange, status, afterNanos);
        }
        return goesOn ? Limiter.Outcome.ADMITTED : Limiter.Outcome.REFUSED;
    }

    private static void answer(Exchange exchange, int status, long afterNanos) throws IOException {
        if (afterNanos != UNKNOWN) {
            exchange.fields().set("Retry-After", String.valueOf(seconds(afterNanos)));
        }
        StatusResponse.plain(exchange, status);
    }

    /// Whole seconds, at least 1.
    static long seconds(long nanos) {
        return Math.max(1, Math.ceilDiv(nanos, TimeUnit.SECONDS.toNanos(1)));
    }
}
