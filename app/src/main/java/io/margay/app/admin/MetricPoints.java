package io.margay.app.admin;

import io.margay.server.config.ServerStats;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
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
