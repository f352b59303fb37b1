package io.margay.app.admin;

import io.margay.gateway.login.OpenIdLogins;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// The metrics of logins at OpenID providers, once somebody has come to log in. Stateless.
final class LoginMetrics {
    private static final double NANOS = 1e9;

    private LoginMetrics() {}

    static void add(MetricSnapshots.Builder to, List<OpenIdLogins.Reading> all) {
        if (all.isEmpty()) {
            return;
        }
        counter(to, "logins", "Logins that succeeded.", all, OpenIdLogins.Reading::logins);
        counter(to, "refusals", "Logins that were refused.", all, OpenIdLogins.Reading::refusals);
        counter(to, "renewals", "Logins that were renewed.", all, OpenIdLogins.Reading::renewals);
        counter(
                to,
                "provider_errors",
                "How often a provider did not answer, or not as it should.",
                all,
                OpenIdLogins.Reading::errors);
        SummarySnapshot.Builder calls =
                SummarySnapshot.builder()
                        .name("margay_openid_provider_seconds")
                        .help("How long providers take to answer.");
        for (OpenIdLogins.Reading one : all) {
            calls.dataPoint(
                    SummaryDataPointSnapshot.builder()
                            .labels(labels(one))
                            .count(one.calls())
                            .sum(one.callNanos() / NANOS)
                            .build());
        }
        to.metricSnapshot(calls.build());
    }

    private static void counter(
            MetricSnapshots.Builder to,
            String name,
            String help,
            List<OpenIdLogins.Reading> all,
            ToDoubleFunction<OpenIdLogins.Reading> value) {
        to.metricSnapshot(
                MetricPoints.counter(
                        "margay_openid_" + name, help, all, LoginMetrics::labels, value));
    }

    private static Labels labels(OpenIdLogins.Reading one) {
        return Labels.of("provider", one.provider(), "client", one.client());
    }
}
