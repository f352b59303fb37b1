package io.margay.telemetry.otel;

import io.margay.server.meter.Distribution;
import io.margay.server.meter.Meter;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.metrics.data.SummaryData;
import io.opentelemetry.sdk.metrics.data.SummaryPointData;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.resources.Resource;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// What meters say, as the SDK sends it: the same names, labels and buckets as those of `/metrics`;
/// a counter is without `_total`, which whoever stores it for Prometheus adds. Thread-safe.
///
/// @param meters all that there are now
/// @param startNanos when they began to count, since 1970
/// @param epochNanos the time of day, nanoseconds since 1970
record MeterProducer(Supplier<List<Meter>> meters, long startNanos, LongSupplier epochNanos)
        implements MetricProducer {
    private static final System.Logger LOG = System.getLogger("io.margay.telemetry");

    private static final InstrumentationScopeInfo SCOPE =
            InstrumentationScopeInfo.create("io.margay");

    /// One metric of one name.
    private record Reading(
            Resource getResource, Meter first, MetricDataType getType, Data<?> getData)
            implements MetricData {
        @Override
        public InstrumentationScopeInfo getInstrumentationScopeInfo() {
            return SCOPE;
        }

        @Override
        public String getName() {
            return first.name();
        }

        @Override
        public String getDescription() {
            return first.help();
        }

        /// By UCUM; those who store it for Prometheus know that the name says it already.
        @Override
        public String getUnit() {
            return first.name().endsWith("_seconds")
                    ? "s"
                    : first.name().endsWith("_bytes") ? "By" : "";
        }
    }

    @Override
    public Collection<MetricData> produce(Resource resource) {
        Map<String, List<Meter>> named = new LinkedHashMap<>();
        try {
            for (Meter meter : meters.get()) {
                named.computeIfAbsent(meter.name(), _ -> new ArrayList<>()).add(meter);
            }
            long now = epochNanos.getAsLong();
            return named.values().stream().map(all -> reading(resource, all, now)).toList();
        } catch (RuntimeException e) {
            // As while the server ends; the SDK would say so with all of the stack.
            LOG.log(Level.DEBUG, "meters cannot be read", e);
            return List.of();
        }
    }

    private MetricData reading(Resource resource, List<Meter> all, long now) {
        Meter first = all.getFirst();
        return switch (first.kind()) {
            case COUNTER ->
                    new Reading(
                            resource,
                            first,
                            MetricDataType.DOUBLE_SUM,
                            SumData.createDoubleSumData(
                                    true, AggregationTemporality.CUMULATIVE, numbers(all, now)));
            case GAUGE ->
                    new Reading(
                            resource,
                            first,
                            MetricDataType.DOUBLE_GAUGE,
                            GaugeData.createDoubleGaugeData(numbers(all, now)));
            case DISTRIBUTION -> distribution(resource, all, now);
        };
    }

    private List<DoublePointData> numbers(List<Meter> all, long now) {
        return all.stream()
                .map(meter ->
                        DoublePointData.create(
                                startNanos,
                                now,
                                attributes(meter),
                                meter.read().getAsDouble(),
                                List.of()))
                .toList();
    }

    private MetricData distribution(Resource resource, List<Meter> all, long now) {
        Meter first = all.getFirst();
        List<SummaryPointData> summaries = new ArrayList<>();
        List<HistogramPointData> histograms = new ArrayList<>();
        for (Meter meter : all) {
            Distribution spread = meter.spread().get();
            if (spread.buckets().isEmpty()) {
                summaries.add(
                        SummaryPointData.create(
                                startNanos,
                                now,
                                attributes(meter),
                                spread.count(),
                                spread.sum(),
                                List.of()));
            } else {
                histograms.add(new SpreadPoint(startNanos, now, attributes(meter), spread));
            }
        }
        return histograms.isEmpty()
                ? new Reading(
                        resource, first, MetricDataType.SUMMARY, SummaryData.create(summaries))
                : new Reading(
                        resource,
                        first,
                        MetricDataType.HISTOGRAM,
                        HistogramData.create(AggregationTemporality.CUMULATIVE, histograms));
    }

    private static Attributes attributes(Meter meter) {
        AttributesBuilder built = Attributes.builder();
        meter.labels().forEach(label -> built.put(label.name(), label.value()));
        return built.build();
    }
}
