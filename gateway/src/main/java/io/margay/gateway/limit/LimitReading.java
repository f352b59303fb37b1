package io.margay.gateway.limit;

import io.margay.server.meter.Meter;
import java.util.List;

/// What a limit has done so far. Immutable.
///
/// @param name of the limit
/// @param admitted requests that went on, after waiting or at once
/// @param delayed those of them that have waited, or wait
/// @param refused requests that were answered, or would have been if nothing were only logged
/// @param forgotten keys that were forgotten before their time, since too many came
public record LimitReading(String name, long admitted, long delayed, long refused, long forgotten) {
    /// Its numbers.
    public List<Meter> meters() {
        return Meter.with(
                List.of(
                        Meter.counter(
                                "margay_limit_admitted",
                                "Requests that a limit let go on.",
                                () -> admitted),
                        Meter.counter(
                                "margay_limit_delayed",
                                "Requests that had to wait.",
                                () -> delayed),
                        Meter.counter(
                                "margay_limit_refused",
                                "Requests refused, or that would be.",
                                () -> refused),
                        Meter.counter(
                                "margay_limit_forgotten",
                                "Keys forgotten before their time.",
                                () -> forgotten)),
                "limit",
                name);
    }
}
