package io.margay.app.admin;

import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/// A certificate of a listener, as its file has it. Immutable.
///
/// @param listener as the counters call it
/// @param subject for whom it was issued
public record CertificateReading(String listener, Path file, String subject, Instant expires) {
    private static final MeterTable<CertificateReading> METERS =
            new MeterTable<CertificateReading>("margay_certificate_")
                    .gauge(
                            "expiry_timestamp_seconds",
                            "When a certificate expires, since 1970.",
                            one -> one.expires.getEpochSecond());

    /// Its numbers.
    public List<Meter> meters() {
        return METERS.of(this, "listener", listener, "file", file.toString());
    }
}
