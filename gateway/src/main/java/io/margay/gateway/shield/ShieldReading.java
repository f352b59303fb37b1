package io.margay.gateway.shield;

import java.util.Map;

/// What a shield has done so far. Immutable.
///
/// @param requests by what has become of them
/// @param lookups addresses that were looked up
/// @param forgotten clients whose costs were forgotten before their time, since too many came
/// @param tarpitted clients that are answered byte by byte now
public record ShieldReading(
        Map<ShieldOutcome, Long> requests, long lookups, long forgotten, int tarpitted) {
    public ShieldReading {
        requests = Map.copyOf(requests);
    }
}
