package io.margay.app.admin;

import io.margay.server.meter.Distribution;
import io.margay.server.meter.Meter;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Meters in the text formats of Prometheus and OpenMetrics. The server counts by itself; the
/// Prometheus client library writes what the counters say when asked. Stateless.
final class Metrics {
    private Metrics() {}

    /// Writes what meters say now: one metric for all of a name.
    ///
    /// @param accept the request's Accept field
    /// @return the media type of what was written
    static String write(List<Meter> meters, @Nullable String accept, OutputStream out)
            throws IOException {
        Map<String, List<Meter>> named = new LinkedHashMap<>();
        meters.forEach(
                meter -> named.computeIfAbsent(meter.name(), _ -> new ArrayList<>()).add(meter));
        MetricSnapshots.Builder snapshots = MetricSnapshots.builder();
        named.values().forEach(all -> snapshots.metricSnapshot(metric(all)));
        ExpositionFormatWriter open = OpenMetricsTextFormatWriter.create();
        ExpositionFormatWriter writer =
                open.accepts(accept) ? open : PrometheusTextFormatWriter.create();
        writer.write(out, snapshots.build());
        return writer.getContentType();
    }

    private static MetricSnapshot metric(List<Meter> all) {
        Meter first = all.getFirst();
        return switch (first.kind()) {
            case COUNTER -> counter(first, all);
            case GAUGE -> gauge(first, all);
            case DISTRIBUTION ->
                    first.spread().get().buckets().isEmpty()
                            ? summary(first, all)
                            : histogram(first, all);
        };
    }

    private static MetricSnapshot counter(Meter first, List<Meter> all) {
        CounterSnapshot.Builder builder =
                CounterSnapshot.builder().name(first.name()).help(first.help());
        for (Meter meter : all) {
            builder.dataPoint(
                    CounterDataPointSnapshot.builder()
                            .labels(labels(meter))
                            .value(meter.read().getAsDouble())
                            .build());
        }
        return builder.build();
    }

    private static MetricSnapshot gauge(Meter first, List<Meter> all) {
        GaugeSnapshot.Builder builder =
                GaugeSnapshot.builder().name(first.name()).help(first.help());
        for (Meter meter : all) {
            builder.dataPoint(
                    GaugeDataPointSnapshot.builder()
                            .labels(labels(meter))
                            .value(meter.read().getAsDouble())
                            .build());
        }
        return builder.build();
    }

    private static MetricSnapshot summary(Meter first, List<Meter> all) {
        SummarySnapshot.Builder builder =
                SummarySnapshot.builder().name(first.name()).help(first.help());
        for (Meter meter : all) {
            Distribution spread = meter.spread().get();
            builder.dataPoint(
                    SummaryDataPointSnapshot.builder()
                            .labels(labels(meter))
                            .count(spread.count())
                            .sum(spread.sum())
                            .build());
        }
        return builder.build();
    }

    private static MetricSnapshot histogram(Meter first, List<Meter> all) {
        HistogramSnapshot.Builder builder =
                HistogramSnapshot.builder().name(first.name()).help(first.help());
        for (Meter meter : all) {
            Distribution spread = meter.spread().get();
            ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
            spread.buckets().forEach(bucket -> buckets.bucket(bucket.upTo(), bucket.count()));
            builder.dataPoint(
                    HistogramDataPointSnapshot.builder()
                            .exemplars(examples(spread))
                            .classicHistogramBuckets(buckets.build())
                            .sum(spread.sum())
                            .labels(labels(meter))
                            .build());
        }
        return builder.build();
    }

    /// Exemplars, which OpenMetrics alone has.
    private static Exemplars examples(Distribution spread) {
        return Exemplars.of(
                spread.buckets().stream()
                        .map(Distribution.Bucket::example)
                        .filter(Objects::nonNull)
                        .map(one ->
                                Exemplar.builder()
                                        .value(one.value())
                                        .traceId(one.mark().traceId())
                                        .spanId(one.mark().spanId())
                                        .timestampMillis(one.epochMillis())
                                        .build())
                        .toList());
    }

    private static Labels labels(Meter meter) {
        return Labels.of(
                meter.labels().stream()
                        .flatMap(label -> Stream.of(label.name(), label.value()))
                        .toArray(String[]::new));
    }
}
