package io.margay.app.register;

import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a registration of this server does. Immutable.
///
/// @param upstream with which it registers
/// @param name as which it does
/// @param at where
/// @param up whether it was taken the last time
/// @param failure why not; null = it was, or was not said yet
public record RegistrationReading(
        String upstream, String name, String at, boolean up, @Nullable String failure) {
    private static final MeterTable<RegistrationReading> METERS =
            new MeterTable<RegistrationReading>("margay_registration_")
                    .gauge(
                            "up",
                            "1 if this server is registered as a member there.",
                            one -> one.up ? 1 : 0);

    /// Its numbers.
    public List<Meter> meters() {
        return METERS.of(this, "upstream", upstream, "name", name, "at", at);
    }
}
