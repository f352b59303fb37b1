package io.margay.telemetry.otel;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import java.util.Collection;

/// Counts what becomes of lines of the log. Thread-safe.
///
/// @param exporter that sends them
record CountedLogs(LogRecordExporter exporter, Delivery delivery) implements LogRecordExporter {
    @Override
    public CompletableResultCode export(Collection<LogRecordData> lines) {
        return delivery.follow(lines.size(), () -> exporter.export(lines));
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
