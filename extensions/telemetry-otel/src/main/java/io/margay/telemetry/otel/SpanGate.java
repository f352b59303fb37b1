package io.margay.telemetry.otel;

import io.margay.server.meter.Meter;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Lets spans that are to be sent through to the SDK's batches, no more than fit there.
/// Thread-safe; never waits but to be shut down.
final class SpanGate implements SpanProcessor {
    private final List<SpanProcessor> batches = new CopyOnWriteArrayList<>();
    private final Delivery delivery = new Delivery("spans", "spans");
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
        if (!delivery.enter(waitingMax)) {
            return;
        }
        ReadableSpan kept = KeptSpan.of(span);
        for (SpanProcessor next : batches) {
            next.onEnd(kept);
        }
    }

    /// What becomes of them.
    Delivery delivery() {
        return delivery;
    }

    List<Meter> meters() {
        return delivery.meters();
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
