package io.margay.app.admin;

import io.margay.app.shared.SharedStatus;
import io.margay.server.shared.SharedReading;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import org.jspecify.annotations.Nullable;

/// The metrics of what servers share. Stateless.
final class SharedMetrics {
    private static final double NANOS = 1e9;

    private SharedMetrics() {}

    /// @param status null = nothing is shared
    static void add(MetricSnapshots.Builder to, @Nullable SharedStatus status) {
        if (status == null) {
            return;
        }
        SharedReading read = status.reading();
        gauge(to, "margay_shared_up", "1 while the shared engine answers.", read.up() ? 1 : 0);
        gauge(
                to,
                "margay_shared_servers",
                "Servers of the group that are there.",
                read.servers().size());
        counter(to, "margay_shared_calls", "Calls of the shared engine.", (double) read.calls());
        counter(to, "margay_shared_failures", "Calls of it that failed.", (double) read.failures());
        counter(
                to,
                "margay_shared_refused",
                "Calls that were not made, because it is away.",
                (double) read.refused());
        counter(
                to,
                "margay_shared_call_seconds",
                "Time of the calls of the shared engine.",
                read.nanos() / NANOS);
        counter(
                to,
                "margay_shared_counts",
                "Counts of limits that the engine was told of.",
                (double) status.settled());
        counter(
                to,
                "margay_shared_counts_lost",
                "Counts of limits that it was not told of.",
                (double) status.unsettled());
        gauge(
                to,
                "margay_shared_changes_pending",
                "Changes of members by hand that the engine does not have yet.",
                status.changesPending());
    }

    private static void gauge(MetricSnapshots.Builder to, String name, String help, double value) {
        to.metricSnapshot(
                GaugeSnapshot.builder()
                        .name(name)
                        .help(help)
                        .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
                        .build());
    }

    private static void counter(
            MetricSnapshots.Builder to, String name, String help, double value) {
        to.metricSnapshot(
                CounterSnapshot.builder()
                        .name(name)
                        .help(help)
                        .dataPoint(CounterDataPointSnapshot.builder().value(value).build())
                        .build());
    }
}
