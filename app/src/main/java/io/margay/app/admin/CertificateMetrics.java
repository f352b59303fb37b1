package io.margay.app.admin;

import io.margay.server.acme.AcmeReading;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;

/// The metrics of certificates. Stateless.
final class CertificateMetrics {
    private CertificateMetrics() {}

    /// @param own those that the server gets by itself
    static void add(
            MetricSnapshots.Builder to, List<CertificateReading> all, List<AcmeReading> own) {
        GaugeSnapshot.Builder expiry =
                gauge(
                        "margay_certificate_expiry_timestamp_seconds",
                        "When a certificate expires, since 1970.");
        for (CertificateReading one : all) {
            Labels labels = Labels.of("listener", one.listener(), "file", one.file().toString());
            point(expiry, labels, (double) one.expires().getEpochSecond());
        }
        GaugeSnapshot.Builder failures =
                gauge(
                        "margay_acme_failures",
                        "Tries to get a certificate that have failed since it was issued.");
        GaugeSnapshot.Builder next =
                gauge(
                        "margay_acme_next_timestamp_seconds",
                        "When something is to be done about a certificate, since 1970.");
        for (AcmeReading one : own) {
            Labels labels = Labels.of("certificate", one.name());
            point(failures, labels, one.failures());
            point(next, labels, (double) one.next().getEpochSecond());
        }
        to.metricSnapshot(expiry.build());
        to.metricSnapshot(failures.build());
        to.metricSnapshot(next.build());
    }

    private static GaugeSnapshot.Builder gauge(String name, String help) {
        return GaugeSnapshot.builder().name(name).help(help);
    }

    private static void point(GaugeSnapshot.Builder to, Labels labels, double value) {
        to.dataPoint(GaugeDataPointSnapshot.builder().labels(labels).value(value).build());
    }
}
