package io.margay.app.slow;

import io.margay.server.sight.LastHour;
import io.margay.server.sight.SightKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How long the slowest thousandth of the requests of each route took in the last hour.
/// Thread-safe.
final class TailTimes {
    /// What ends sooner is not slow, however fast the others are.
    static final long FLOOR_NANOS = 50_000_000L;

    /// Fewer requests have no slowest thousandth.
    private static final int REQUESTS_MIN = 1_000;

    /// Of p99.9, which is known to a sixteenth.
    private static final double ABOVE = 1.125;

    private static final int P999 = 3;

    private volatile Known known = new Known(Map.of(), Long.MAX_VALUE);

    private record Known(Map<SightKey, Long> nanos, long least) {}

    /// What was served in the last hour, by route.
    void read(List<LastHour.Row> rows) {
        Map<SightKey, Long> nanos = new HashMap<>();
        long least = Long.MAX_VALUE;
        for (LastHour.Row row : rows) {
            if (row.requests() >= REQUESTS_MIN) {
                long time = (long) (row.quantiles().get(P999) * ABOVE * 1e9);
                long from = Math.max(FLOOR_NANOS, time);
                nanos.put(row.key(), from);
                least = Math.min(least, from);
            }
        }
        known = new Known(Map.copyOf(nanos), least);
    }

    /// The least of all.
    long leastNanos() {
        return known.least;
    }

    /// From which duration on a request counts as slow; [Long#MAX_VALUE] = that is not known.
    long nanos(SightKey at) {
        return known.nanos.getOrDefault(SightKey.By.ROUTE.of(at), Long.MAX_VALUE);
    }
}
