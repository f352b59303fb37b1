package io.margay.app.admin;

import io.margay.server.acme.AcmeReading;
import io.margay.server.acme.StapleReading;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Instant;
import java.util.List;

/// The metrics of certificates. Stateless.
final class CertificateMetrics {
    private CertificateMetrics() {}

    static void add(MetricSnapshots.Builder to, ManagedServer server) {
        GaugeSnapshot.Builder expiry =
                gauge(
                        "margay_certificate_expiry_timestamp_seconds",
                        "When a certificate expires, since 1970.");
        for (CertificateReading one : server.certificates()) {
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
        for (AcmeReading one : server.ownCertificates()) {
            Labels labels = Labels.of("certificate", one.name());
            point(failures, labels, one.failures());
            point(next, labels, (double) one.next().getEpochSecond());
        }
        to.metricSnapshot(expiry.build());
        to.metricSnapshot(failures.build());
        to.metricSnapshot(next.build());
        staples(to, server.staples());
    }

    private static void staples(MetricSnapshots.Builder to, List<StapleReading> all) {
        GaugeSnapshot.Builder failures =
                gauge(
                        "margay_ocsp_failures",
                        "Questions to an OCSP responder that have failed since its last response.");
        GaugeSnapshot.Builder expiry =
                gauge(
                        "margay_ocsp_expiry_timestamp_seconds",
                        "When the stapled OCSP response ends, since 1970; 0 without one.");
        for (StapleReading one : all) {
            Labels labels = Labels.of("certificate", one.certificate());
            Instant until = one.until();
            point(failures, labels, one.failures());
            point(expiry, labels, until == null ? 0 : (double) until.getEpochSecond());
        }
        to.metricSnapshot(failures.build());
        to.metricSnapshot(expiry.build());
    }

    private static GaugeSnapshot.Builder gauge(String name, String help) {
        return GaugeSnapshot.builder().name(name).help(help);
    }

    private static void point(GaugeSnapshot.Builder to, Labels labels, double value) {
        to.dataPoint(GaugeDataPointSnapshot.builder().labels(labels).value(value).build());
    }
}
