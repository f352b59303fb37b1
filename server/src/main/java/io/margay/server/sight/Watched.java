package io.margay.server.sight;

import io.margay.server.meter.RecentDurations;
import io.margay.server.meter.TrafficCounts;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Something whose requests are counted. Immutable; its readings are thread-safe.
///
/// @param numbers what it has counted, read when it is asked for: thousands are looked at of which
///   few are watched
/// @param health how it does now; null = nobody can say
public record Watched(
        SightKey key,
        RecentDurations recent,
        Supplier<Numbers> numbers,
        @Nullable Supplier<MemberHealth> health) {
    /// Of which nobody can say how it does.
    public Watched(SightKey key, RecentDurations recent, Supplier<Numbers> numbers) {
        this(key, recent, numbers, null);
    }

    /// What is counted by something.
    public static Watched of(SightKey key, TrafficCounts counts) {
        return new Watched(
                key,
                counts.recent(),
                () ->
                        new Numbers(
                                counts.statuses(),
                                counts.failed(),
                                counts.received(),
                                counts.sent(),
                                counts.active()));
    }

    /// What has been counted since the start.
    ///
    /// @param statuses answers by class of status, from 1xx to 5xx
    /// @param failed requests that failed
    /// @param received bytes
    /// @param sent bytes
    /// @param active requests under way
    public record Numbers(
            List<Long> statuses, long failed, long received, long sent, long active) {}

    long[] counts() {
        Numbers now = numbers.get();
        long[] counts = new long[Tally.COUNTS];
        List<Long> classes = now.statuses;
        for (int i = 0; i < Tally.CLASSES; i++) {
            counts[i] = i < classes.size() ? classes.get(i) : 0;
        }
        counts[Tally.FAILED] = now.failed;
        counts[Tally.RECEIVED] = now.received;
        counts[Tally.SENT] = now.sent;
        return counts;
    }
}
