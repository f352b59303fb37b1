package io.margay.gateway.shield;

import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What a shield has done so far. Immutable.
///
/// @param requests by what has become of them
/// @param lookups addresses that were looked up
/// @param forgotten clients whose costs were forgotten before their time, since too many came
/// @param tarpitted clients that are answered byte by byte now
public record ShieldReading(
        Map<ShieldOutcome, Long> requests, long lookups, long forgotten, int tarpitted) {
    private static final MeterTable<ShieldReading> METERS =
            new MeterTable<ShieldReading>("margay_shield_")
                    .counter(
                            "lookups",
                            "Addresses of bots that were looked up.",
                            ShieldReading::lookups)
                    .counter(
                            "forgotten",
                            "Clients whose costs were forgotten early.",
                            ShieldReading::forgotten)
                    .gauge(
                            "tarpitted",
                            "Clients that are answered byte by byte now.",
                            ShieldReading::tarpitted);

    public ShieldReading {
        requests = Map.copyOf(requests);
    }

    /// Its numbers.
    public List<Meter> meters() {
        List<Meter> all = new ArrayList<>();
        requests.forEach((outcome, count) ->
                all.add(
                        Meter.counter(
                                        "margay_shield_requests",
                                        "Requests that a shield has checked, by outcome.",
                                        () -> count)
                                .with("outcome", outcome.name().toLowerCase(Locale.ROOT))));
        all.addAll(METERS.of(this));
        return all;
    }
}
