package io.margay.telemetry.otel;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;

/// Tells the gate what becomes of the spans that it has let through. Thread-safe.
///
/// @param exporter that sends them
record CountedExporter(SpanExporter exporter, SpanGate gate) implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        int count = spans.size();
        gate.taken(count);
        CompletableResultCode sending = exporter.export(spans);
        return sending.whenComplete(() -> {
            if (sending.isSuccess()) {
                gate.sent(count);
            } else {
                gate.notSent(count, sending.getFailureThrowable());
            }
        });
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
