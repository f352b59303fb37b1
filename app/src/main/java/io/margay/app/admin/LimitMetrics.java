package io.margay.app.admin;

import io.margay.app.admin.ManagedServer.HostLimit;
import io.margay.app.admin.ManagedServer.HostShield;
import io.margay.gateway.limit.LimitReading;
import io.margay.gateway.shield.ShieldOutcome;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/// The metrics of what is too much: limits of hosts, and their shields. Stateless.
final class LimitMetrics {
    private LimitMetrics() {}

    static void add(MetricSnapshots.Builder to, List<HostLimit> limits, List<HostShield> shields) {
        if (!limits.isEmpty()) {
            limit(
                    to,
                    "admitted",
                    "Requests that a limit let go on.",
                    limits,
                    LimitReading::admitted);
            limit(to, "delayed", "Requests that had to wait.", limits, LimitReading::delayed);
            limit(
                    to,
                    "refused",
                    "Requests refused, or that would be.",
                    limits,
                    LimitReading::refused);
            limit(
                    to,
                    "forgotten",
                    "Keys forgotten before their time.",
                    limits,
                    LimitReading::forgotten);
        }
        if (!shields.isEmpty()) {
            shields(to, shields);
        }
    }

    private static void limit(
            MetricSnapshots.Builder to,
            String what,
            String help,
            List<HostLimit> limits,
            ToLongFunction<LimitReading> count) {
        to.metricSnapshot(
                MetricPoints.counter(
                        "margay_limit_" + what,
                        help,
                        limits,
                        one -> Labels.of("host", one.host(), "limit", one.reading().name()),
                        one -> count.applyAsLong(one.reading())));
    }

    /// Requests of a host that a shield has looked at.
    private record Looked(String host, ShieldOutcome outcome, long count) {
        Labels labels() {
            return Labels.of("host", host, "outcome", outcome.name().toLowerCase(Locale.ROOT));
        }
    }

    private static void shields(MetricSnapshots.Builder to, List<HostShield> shields) {
        List<Looked> looked = new ArrayList<>();
        for (HostShield one : shields) {
            one.reading()
                    .requests()
                    .forEach(
                            (outcome, count) -> looked.add(new Looked(one.host(), outcome, count)));
        }
        to.metricSnapshot(
                MetricPoints.counter(
                        "margay_shield_requests",
                        "Requests that a shield has looked at, by what became of them.",
                        looked,
                        Looked::labels,
                        Looked::count));
        to.metricSnapshot(
                MetricPoints.counter(
                        "margay_shield_lookups",
                        "Addresses of bots that were looked up.",
                        shields,
                        LimitMetrics::host,
                        one -> one.reading().lookups()));
        to.metricSnapshot(
                MetricPoints.counter(
                        "margay_shield_forgotten",
                        "Clients whose costs were forgotten before their time.",
                        shields,
                        LimitMetrics::host,
                        one -> one.reading().forgotten()));
        to.metricSnapshot(
                MetricPoints.gauge(
                        "margay_shield_tarpitted",
                        "Clients that are answered byte by byte now.",
                        shields,
                        LimitMetrics::host,
                        one -> one.reading().tarpitted()));
    }

    private static Labels host(HostShield one) {
        return Labels.of("host", one.host());
    }
}
