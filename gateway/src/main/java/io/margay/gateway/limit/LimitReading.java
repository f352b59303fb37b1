package io.margay.gateway.limit;

import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import java.util.List;

/// What a limit has done so far. Immutable.
///
/// @param name of the limit
/// @param admitted requests that went on, after waiting or at once
/// @param delayed those of them that have waited, or wait
/// @param refused requests that were answered, or would have been if nothing were only logged
/// @param forgotten keys that were forgotten before their time, since too many came
public record LimitReading(String name, long admitted, long delayed, long refused, long forgotten) {
    private static final MeterTable<LimitReading> METERS =
            new MeterTable<LimitReading>("margay_limit_")
                    .counter("admitted", "Requests that a limit let go on.", LimitReading::admitted)
                    .counter("delayed", "Requests that had to wait.", LimitReading::delayed)
                    .counter(
                            "refused", "Requests refused, or that would be.", LimitReading::refused)
                    .counter(
                            "forgotten",
                            "Keys forgotten before their time.",
                            LimitReading::forgotten);

    /// Its numbers.
    public List<Meter> meters() {
        return METERS.of(this, "limit", name);
    }
}
