package io.margay.telemetry.otel;

import io.margay.server.meter.Distribution;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.metrics.data.DoubleExemplarData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/// What a meter of a distribution says, with its exemplars. Immutable.
///
/// @param getStartEpochNanos when it began to count
/// @param getEpochNanos when it was read
record SpreadPoint(
        long getStartEpochNanos, long getEpochNanos, Attributes getAttributes, Distribution spread)
        implements HistogramPointData {
    @Override
    public double getSum() {
        return spread.sum();
    }

    @Override
    public long getCount() {
        return spread.count();
    }

    @Override
    public boolean hasMin() {
        return false;
    }

    @Override
    public double getMin() {
        return 0;
    }

    @Override
    public boolean hasMax() {
        return false;
    }

    @Override
    public double getMax() {
        return 0;
    }

    @Override
    public List<Double> getBoundaries() {
        return spread.buckets().stream()
                .map(Distribution.Bucket::upTo)
                .filter(bound -> !bound.isInfinite())
                .toList();
    }

    @Override
    public List<Long> getCounts() {
        return spread.buckets().stream().map(Distribution.Bucket::count).toList();
    }

    @Override
    public List<DoubleExemplarData> getExemplars() {
        return spread.buckets().stream()
                .map(Distribution.Bucket::example)
                .filter(Objects::nonNull)
                .map(one ->
                        DoubleExemplarData.create(
                                Attributes.empty(),
                                TimeUnit.MILLISECONDS.toNanos(one.epochMillis()),
                                SpanContext.create(
                                        one.mark().traceId(),
                                        one.mark().spanId(),
                                        TraceFlags.getSampled(),
                                        TraceState.getDefault()),
                                one.value()))
                .toList();
    }
}
