package io.margay.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.server.meter.Distribution;
import java.util.List;
import java.util.Map;
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
        List<Distribution.Bucket> durations = stats.read().durations().buckets();
        assertEquals(new Distribution.Bucket(0.000_5, 2), durations.getFirst());
        assertEquals(new Distribution.Bucket(0.001, 1), durations.get(1));
        assertEquals(new Distribution.Bucket(Double.POSITIVE_INFINITY, 1), durations.getLast());
        assertEquals(4, stats.read().requests());
    }

    @Test
    void protocols_thatHadNoRequest_areLeftOut() {
        stats.requestStarted(RequestProtocol.HTTP_2);
        stats.requestStarted(RequestProtocol.HTTP_2);
        stats.requestStarted(RequestProtocol.AJP);
        ended(1);
        assertEquals(Map.of("HTTP/2", 2L, "AJP", 1L), stats.read().protocols());
        assertEquals(2, stats.read().requestsActive());
        assertEquals(2, stats.active());
    }
}
