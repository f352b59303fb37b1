package io.margay.gateway.mirror;

import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How copies of requests do, as those see it who run the server. Immutable but for what compares.
///
/// @param to the upstream that gets them
/// @param active copies that are under way
/// @param sent copies so far
/// @param leftOut requests that were not copied because too many copies were in flight
/// @param shadow compares the answers, and goes on doing so; null = they are not compared
public record MirrorReading(
        String to, int active, long sent, long leftOut, @Nullable Shadow shadow) {
    private static final MeterTable<MirrorReading> METERS =
            new MeterTable<MirrorReading>("margay_mirror_")
                    .gauge("requests_active", "Copies in flight.", MirrorReading::active)
                    .counter("requests", "Requests that were copied.", MirrorReading::sent)
                    .counter(
                            "left_out",
                            "Requests that were not copied, because too many copies were in"
                                    + " flight.",
                            MirrorReading::leftOut);

    /// The numbers of it.
    public List<Meter> meters() {
        List<Meter> all = new ArrayList<>(METERS.of(this));
        if (shadow != null) {
            all.addAll(shadow.read().meters());
        }
        return Meter.with(all, "mirror", to);
    }
}
