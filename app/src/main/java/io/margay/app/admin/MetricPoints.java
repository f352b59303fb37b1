package io.margay.app.admin;

import io.margay.server.config.ServerStats;
import io.margay.server.meter.Meter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Metrics of several things each, and data points of others. Stateless.
final class MetricPoints {
    private static final double NANOS = 1e9;

    private MetricPoints() {}

    /// How many responses of a class of status there were.
    ///
    /// @param labels with the class
    record Statuses(Labels labels, long count) {
        /// @param counts from 1xx on
        static Stream<Statuses> of(Labels labels, List<Long> counts) {
            return IntStream.range(0, counts.size())
                    .mapToObj(
                            i -> new Statuses(labels.add("status", (i + 1) + "xx"), counts.get(i)));
        }
    }

    /// @param name without the `_total` that is written behind it
    static <T> CounterSnapshot counter(
            String name,
            String help,
            List<T> items,
            Function<T, Labels> labels,
            ToDoubleFunction<T> value) {
        CounterSnapshot.Builder builder = CounterSnapshot.builder().name(name).help(help);
        for (T one : items) {
            builder.dataPoint(
                    CounterDataPointSnapshot.builder()
                            .labels(labels.apply(one))
                            .value(value.applyAsDouble(one))
                            .build());
        }
        return builder.build();
    }

    static <T> GaugeSnapshot gauge(
            String name,
            String help,
            List<T> items,
            Function<T, Labels> labels,
            ToDoubleFunction<T> value) {
        GaugeSnapshot.Builder builder = GaugeSnapshot.builder().name(name).help(help);
        for (T one : items) {
            builder.dataPoint(
                    GaugeDataPointSnapshot.builder()
                            .labels(labels.apply(one))
                            .value(value.applyAsDouble(one))
                            .build());
        }
        return builder.build();
    }

    /// What meters say now: one metric for all of a name.
    static List<MetricSnapshot> meters(List<Meter> meters) {
        Map<String, List<Meter>> named = new LinkedHashMap<>();
        meters.forEach(
                meter -> named.computeIfAbsent(meter.name(), _ -> new ArrayList<>()).add(meter));
        return named.values().stream().map(MetricPoints::metric).toList();
    }

    private static MetricSnapshot metric(List<Meter> all) {
        Meter first = all.getFirst();
        ToDoubleFunction<Meter> value = meter -> meter.read().getAsDouble();
        return switch (first.kind()) {
            case COUNTER -> counter(first.name(), first.help(), all, MetricPoints::labels, value);
            case GAUGE -> gauge(first.name(), first.help(), all, MetricPoints::labels, value);
        };
    }

    private static Labels labels(Meter meter) {
        return Labels.of(
                meter.labels().stream()
                        .flatMap(label -> Stream.of(label.name(), label.value()))
                        .toArray(String[]::new));
    }

    static GaugeDataPointSnapshot area(String name, long bytes) {
        return GaugeDataPointSnapshot.builder()
                .labels(Labels.of("area", name))
                .value((double) bytes)
                .build();
    }

    static HistogramDataPointSnapshot histogram(
            List<ServerStats.Bucket> durations, long nanos, Labels labels) {
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        for (ServerStats.Bucket bucket : durations) {
            boolean bounded = bucket.upToNanos() < Long.MAX_VALUE;
            buckets.bucket(
                    bounded ? bucket.upToNanos() / NANOS : Double.POSITIVE_INFINITY,
                    bucket.count());
        }
        return HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(buckets.build())
                .sum(nanos / NANOS)
                .labels(labels)
                .build();
    }
}
