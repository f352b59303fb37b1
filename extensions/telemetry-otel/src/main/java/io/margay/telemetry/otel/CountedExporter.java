package io.margay.telemetry.otel;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;

/// Counts what becomes of spans. Thread-safe.
///
/// @param exporter that sends them
record CountedExporter(SpanExporter exporter, Delivery delivery) implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        return delivery.follow(spans.size(), () -> exporter.export(spans));
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
