package io.margay.app.admin;

import io.margay.gateway.limit.LimitReading;
import io.margay.gateway.shield.ShieldReading;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/// The metrics of what is too much: limits of hosts, and their shields. Stateless.
final class LimitMetrics {
    private LimitMetrics() {}

    static void add(
            MetricSnapshots.Builder to,
            List<ManagedServer.HostLimit> limits,
            List<ManagedServer.HostShield> shields) {
        if (!limits.isEmpty()) {
            to.metricSnapshot(
                    limit(
                            "admitted",
                            "Requests that a limit let go on.",
                            limits,
                            LimitReading::admitted));
            to.metricSnapshot(
                    limit("delayed", "Requests that had to wait.", limits, LimitReading::delayed));
            to.metricSnapshot(
                    limit(
                            "refused",
                            "Requests refused, or that would be.",
                            limits,
                            LimitReading::refused));
            to.metricSnapshot(
                    limit(
                            "forgotten",
                            "Keys forgotten before their time.",
                            limits,
                            LimitReading::forgotten));
        }
        if (!shields.isEmpty()) {
            shields(to, shields);
        }
    }

    private static CounterSnapshot limit(
            String what,
            String help,
            List<ManagedServer.HostLimit> limits,
            ToLongFunction<LimitReading> count) {
        CounterSnapshot.Builder counter =
                CounterSnapshot.builder().name("margay_limit_" + what).help(help);
        for (ManagedServer.HostLimit one : limits) {
            point(
                    counter,
                    Labels.of("host", one.host(), "limit", one.reading().name()),
                    count.applyAsLong(one.reading()));
        }
        return counter.build();
    }

    private static void shields(
            MetricSnapshots.Builder to, List<ManagedServer.HostShield> shields) {
        CounterSnapshot.Builder requests =
                CounterSnapshot.builder()
                        .name("margay_shield_requests")
                        .help("Requests that a shield has looked at, by what became of them.");
        CounterSnapshot.Builder lookups =
                CounterSnapshot.builder()
                        .name("margay_shield_lookups")
                        .help("Addresses of bots that were looked up.");
        CounterSnapshot.Builder forgotten =
                CounterSnapshot.builder()
                        .name("margay_shield_forgotten")
                        .help("Clients whose costs were forgotten before their time.");
        GaugeSnapshot.Builder tarpit =
                GaugeSnapshot.builder()
                        .name("margay_shield_tarpitted")
                        .help("Clients that are answered byte by byte now.");
        for (ManagedServer.HostShield one : shields) {
            Labels host = Labels.of("host", one.host());
            ShieldReading reading = one.reading();
            reading.requests()
                    .forEach((outcome, count) ->
                            point(
                                    requests,
                                    host.merge(
                                            Labels.of(
                                                    "outcome",
                                                    outcome.name().toLowerCase(Locale.ROOT))),
                                    count));
            point(lookups, host, reading.lookups());
            point(forgotten, host, reading.forgotten());
            tarpit.dataPoint(
                    GaugeDataPointSnapshot.builder()
                            .labels(host)
                            .value(reading.tarpitted())
                            .build());
        }
        to.metricSnapshot(requests.build());
        to.metricSnapshot(lookups.build());
        to.metricSnapshot(forgotten.build());
        to.metricSnapshot(tarpit.build());
    }

    private static void point(CounterSnapshot.Builder to, Labels labels, long value) {
        to.dataPoint(
                CounterDataPointSnapshot.builder().labels(labels).value((double) value).build());
    }
}
