package io.margay.telemetry.otel;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.sdk.common.InstrumentationLibraryInfo;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.data.SpanData;
import org.jspecify.annotations.Nullable;

/// A span that was not sampled, and is sent all the same: the SDK's batches take what is sampled
/// alone. What is sent says that it was not. Thread-safe as the span is.
///
/// @param span that has ended
record KeptSpan(ReadableSpan span) implements ReadableSpan {
    /// The span as batches take it.
    static ReadableSpan of(ReadableSpan span) {
        return span.getSpanContext().isSampled() ? span : new KeptSpan(span);
    }

    @Override
    public SpanContext getSpanContext() {
        SpanContext real = span.getSpanContext();
        return SpanContext.create(
                real.getTraceId(), real.getSpanId(), TraceFlags.getSampled(), real.getTraceState());
    }

    @Override
    public SpanContext getParentSpanContext() {
        return span.getParentSpanContext();
    }

    @Override
    public String getName() {
        return span.getName();
    }

    @Override
    public SpanData toSpanData() {
        return span.toSpanData();
    }

    @Override
    @Deprecated
    public InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
        return span.getInstrumentationLibraryInfo();
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
        return span.getInstrumentationScopeInfo();
    }

    @Override
    public boolean hasEnded() {
        return span.hasEnded();
    }

    @Override
    public long getLatencyNanos() {
        return span.getLatencyNanos();
    }

    @Override
    public SpanKind getKind() {
        return span.getKind();
    }

    @Override
    public <T> @Nullable T getAttribute(AttributeKey<T> key) {
        return span.getAttribute(key);
    }
}
