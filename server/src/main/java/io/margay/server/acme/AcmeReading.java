package io.margay.server.acme;

import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How it stands about a certificate that the server gets by itself. Immutable.
///
/// @param name what its folder is called
/// @param file chain and key
/// @param issued whether an authority has issued the one in use
/// @param next when something is to be done about it
/// @param failures tries that have failed since it was issued
/// @param failure why the last of them has failed, or null
public record AcmeReading(
        String name,
        Path file,
        boolean issued,
        Instant next,
        int failures,
        @Nullable String failure) {
    private static final MeterTable<AcmeReading> METERS =
            new MeterTable<AcmeReading>("margay_acme_")
                    .gauge(
                            "failures",
                            "Tries to get a certificate that have failed since it was issued.",
                            AcmeReading::failures)
                    .gauge(
                            "next_timestamp_seconds",
                            "When something is to be done about a certificate, since 1970.",
                            one -> one.next.getEpochSecond());

    /// Its numbers.
    public List<Meter> meters() {
        return METERS.of(this, "certificate", name);
    }
}
