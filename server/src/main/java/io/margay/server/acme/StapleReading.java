package io.margay.server.acme;

import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How it stands about the OCSP response for a certificate. Immutable.
///
/// @param certificate its first name
/// @param until when the response that is stapled ends; null = there is none
/// @param failures questions that have failed since the last response
/// @param failure why the last of them has failed, or null
public record StapleReading(
        String certificate, @Nullable Instant until, int failures, @Nullable String failure) {
    private static final MeterTable<StapleReading> METERS =
            new MeterTable<StapleReading>("margay_ocsp_")
                    .gauge(
                            "failures",
                            "Questions to an OCSP responder that have failed since its last"
                                    + " response.",
                            StapleReading::failures)
                    .gauge(
                            "expiry_timestamp_seconds",
                            "When the stapled OCSP response ends, since 1970; 0 without one.",
                            one -> one.until == null ? 0 : one.until.getEpochSecond());

    /// Its numbers.
    public List<Meter> meters() {
        return METERS.of(this, "certificate", certificate);
    }
}
