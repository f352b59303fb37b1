package io.margay.app.shared;

import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import io.margay.server.shared.SharedReading;
import java.util.List;
import java.util.stream.Stream;

/// What this server shares with others, as those see it who run it. Immutable.
///
/// @param changesPending changes of members by hand that the engine does not have yet
/// @param settled counts of limits that the engine was told of
/// @param unsettled those that it was not told of
public record SharedStatus(
        SharedReading reading, int changesPending, long settled, long unsettled) {
    private static final MeterTable<SharedStatus> METERS =
            new MeterTable<SharedStatus>("margay_shared_")
                    .counter(
                            "counts",
                            "Counts of limits that the store has received.",
                            SharedStatus::settled)
                    .counter(
                            "counts_lost",
                            "Counts of limits that it did not get.",
                            SharedStatus::unsettled)
                    .gauge(
                            "changes_pending",
                            "Changes of members by hand that the store does not have yet.",
                            SharedStatus::changesPending);

    /// Its numbers.
    public List<Meter> meters() {
        return Stream.concat(reading.meters().stream(), METERS.of(this).stream()).toList();
    }
}
