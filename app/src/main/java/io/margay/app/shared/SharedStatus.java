package io.margay.app.shared;

import io.margay.server.meter.Meter;
import io.margay.server.shared.SharedReading;
import java.util.ArrayList;
import java.util.List;

/// What this server shares with others, as those see it who run it. Immutable.
///
/// @param changesPending changes of members by hand that the engine does not have yet
/// @param settled counts of limits that the engine was told of
/// @param unsettled those that it was not told of
public record SharedStatus(
        SharedReading reading, int changesPending, long settled, long unsettled) {
    /// Its numbers.
    public List<Meter> meters() {
        List<Meter> all = new ArrayList<>(reading.meters());
        all.add(
                Meter.counter(
                        "margay_shared_counts",
                        "Counts of limits that the engine was told of.",
                        () -> settled));
        all.add(
                Meter.counter(
                        "margay_shared_counts_lost",
                        "Counts of limits that it was not told of.",
                        () -> unsettled));
        all.add(
                Meter.gauge(
                        "margay_shared_changes_pending",
                        "Changes of members by hand that the engine does not have yet.",
                        () -> changesPending));
        return all;
    }
}
