package io.margay.gateway.mirror;

import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import java.util.List;

/// What came of comparing, in numbers. Immutable.
///
/// @param compared requests whose two answers were compared
/// @param differing of them, those whose answers differ by more than what differs by itself
/// @param groups causes of differences that are told apart
/// @param leftOut requests that could not be compared
public record ShadowReading(long compared, long differing, long groups, long leftOut) {
    private static final MeterTable<ShadowReading> METERS =
            new MeterTable<ShadowReading>("margay_mirror_")
                    .counter(
                            "compared",
                            "Copied requests whose two answers were compared.",
                            ShadowReading::compared)
                    .counter(
                            "differing",
                            "Compared requests whose answers differ.",
                            ShadowReading::differing)
                    .gauge(
                            "difference_groups",
                            "Distinct causes of differences.",
                            ShadowReading::groups)
                    .counter(
                            "not_compared",
                            "Requests whose answers could not be compared.",
                            ShadowReading::leftOut);

    /// The numbers of it.
    List<Meter> meters() {
        return METERS.of(this);
    }
}
