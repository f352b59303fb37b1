package io.margay.app.admin;

import io.margay.server.config.ServerStats;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;

/// Data points of metrics. Stateless.
final class MetricPoints {
    private static final double NANOS = 1e9;

    private MetricPoints() {}

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
