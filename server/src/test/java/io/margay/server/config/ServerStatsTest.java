package io.margay.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ServerStatsTest {
    private final ServerStats stats = new ServerStats();

    private void ended(long tookNanos) {
        stats.requestEnded(200, false, 0, 0, tookNanos);
    }

    @Test
    void durations_atAndBesideABound_areInTheBucketThatItCloses() {
        ended(0);
        ended(500_000);
        ended(500_001);
        ended(Long.MAX_VALUE);
        List<ServerStats.Bucket> durations = stats.read().durations();
        assertEquals(new ServerStats.Bucket(500_000, 2), durations.getFirst());
        assertEquals(new ServerStats.Bucket(1_000_000, 1), durations.get(1));
        assertEquals(new ServerStats.Bucket(Long.MAX_VALUE, 1), durations.getLast());
        assertEquals(4, stats.read().requests());
    }
}
