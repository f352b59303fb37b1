package io.margay.telemetry.otel;

import io.margay.server.exchange.LogRate;
import io.margay.server.exchange.OutageLog;
import io.margay.server.meter.Meter;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Lets spans that are to be sent through to the SDK's batches, no more than fit there, and counts
/// what becomes of them. Thread-safe; never waits but to be shut down.
final class SpanGate implements SpanProcessor {
    private static final System.Logger LOG = System.getLogger("io.margay.telemetry");
    private static final Duration TELL_INTERVAL = Duration.ofMinutes(1);

    private final List<SpanProcessor> batches = new CopyOnWriteArrayList<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder sent = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LogRate full = new LogRate(TELL_INTERVAL, System::nanoTime);
    private final OutageLog outage =
            new OutageLog(
                    LOG,
                    "the collector",
                    "does not take spans, which are lost",
                    "takes spans again",
                    System::nanoTime);
    private volatile int waitingMax;

    /// Has what comes through end there.
    ///
    /// @param most spans that wait there
    /// @return this
    SpanProcessor before(SpanProcessor next, int most) {
        batches.add(next);
        waitingMax = most;
        return this;
    }

    /// Has a span sent that has ended, unless too many wait.
    void keep(ReadableSpan span) {
        if (batches.isEmpty()) {
            return;
        }
        if (waiting.incrementAndGet() > waitingMax) {
            waiting.decrementAndGet();
            lost.increment();
            if (full.isDue()) {
                LOG.log(
                        Level.WARNING,
                        "spans are lost: {0} wait for the collector, which is too slow",
                        String.valueOf(waitingMax));
            }
            return;
        }
        ReadableSpan kept = KeptSpan.of(span);
        for (SpanProcessor next : batches) {
            next.onEnd(kept);
        }
    }

    /// So many are about to be sent.
    void taken(int spans) {
        waiting.addAndGet(-spans);
    }

    /// So many have arrived.
    void sent(int spans) {
        sent.add(spans);
        outage.answered();
    }

    /// So many will not arrive.
    void notSent(int spans, @Nullable Throwable why) {
        lost.add(spans);
        outage.failed(why == null ? new IOException("an answer other than 2xx") : why);
    }

    List<Meter> meters() {
        return List.of(
                Meter.counter(
                        "margay_telemetry_spans_sent", "Spans that a collector took.", sent::sum),
                Meter.counter(
                        "margay_telemetry_spans_lost",
                        "Spans that no collector took: it was unreachable, or too slow.",
                        lost::sum),
                Meter.gauge(
                        "margay_telemetry_spans_waiting",
                        "Spans that wait for being sent.",
                        waiting::get));
    }

    // What the SDK tells each processor of: spans come by keep alone, when it is known which.

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
        return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {}

    @Override
    public boolean isEndRequired() {
        return false;
    }

    @Override
    public CompletableResultCode shutdown() {
        return CompletableResultCode.ofAll(batches.stream().map(SpanProcessor::shutdown).toList());
    }

    @Override
    public CompletableResultCode forceFlush() {
        return CompletableResultCode.ofAll(
                batches.stream().map(SpanProcessor::forceFlush).toList());
    }
}
