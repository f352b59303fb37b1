package io.margay.lab.result;

import java.util.Map;

/// One step of a ramp. Immutable.
///
/// @param wanted requests per second that were sent
/// @param perSecond requests per second that were answered rightly
/// @param errors requests that failed, by kind
/// @param sustained whether the server kept up
public record RampStep(
        double wanted,
        double perSecond,
        double p99Millis,
        Map<String, Long> errors,
        boolean sustained) {
    public RampStep {
        errors = Map.copyOf(errors);
    }
}
