package io.margay.server.sight;

import io.margay.server.meter.RecentDurations;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Something whose requests are counted. Immutable; its readings are thread-safe.
///
/// @param statuses answers since the start by class of status, from 1xx to 5xx
/// @param failed requests since the start that failed
/// @param received bytes since the start
/// @param sent bytes since the start
/// @param active requests under way
public record Watched(
        SightKey key,
        Supplier<List<Long>> statuses,
        LongSupplier failed,
        LongSupplier received,
        LongSupplier sent,
        LongSupplier active,
        RecentDurations recent) {
    long[] counts() {
        long[] counts = new long[Tally.COUNTS];
        List<Long> classes = statuses.get();
        for (int i = 0; i < Tally.CLASSES; i++) {
            counts[i] = i < classes.size() ? classes.get(i) : 0;
        }
        counts[Tally.FAILED] = failed.getAsLong();
        counts[Tally.RECEIVED] = received.getAsLong();
        counts[Tally.SENT] = sent.getAsLong();
        return counts;
    }
}
