package io.margay.server.telemetry;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.meter.TraceMark;
import org.jspecify.annotations.Nullable;

/// Which exchanges a collector is told of, for those who count them. Thread-safe.
public final class TraceMarks {
    private static final ExchangeNotes.Key<TraceMark> KEY =
            new ExchangeNotes.Key<>(TraceMark.class);

    /// How many collectors are told. Guarded by the class.
    private static int collectors;

    /// Whether there are some: else asking costs one read of a field.
    private static volatile boolean any;

    private TraceMarks() {}

    /// A collector is told from now on.
    public static synchronized void begin() {
        any = ++collectors > 0;
    }

    /// One that was is told no more.
    public static synchronized void end() {
        any = --collectors > 0;
    }

    /// Notes that the collector gets the span of an exchange.
    public static void put(Exchange exchange, TraceMark mark) {
        exchange.notes().put(KEY, mark);
    }

    /// Its span; null = the collector does not get it.
    public static @Nullable TraceMark of(Exchange exchange) {
        return any ? exchange.notes().get(KEY) : null;
    }
}
