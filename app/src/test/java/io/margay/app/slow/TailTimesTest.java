package io.margay.app.slow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.server.sight.LastHour;
import io.margay.server.sight.SightKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TailTimesTest {
    private static SightKey route(String path, String application) {
        return new SightKey(SightKey.Kind.ROUTE, "a", path, application);
    }

    private static LastHour.Row row(String path, long requests, double p999) {
        return new LastHour.Row(
                route(path, ""),
                3_600,
                requests,
                0,
                List.of(0L, requests, 0L, 0L, 0L),
                0,
                new LastHour.Bytes(0, 0),
                List.of(p999 / 8, p999 / 4, p999 / 2, p999),
                List.of());
    }

    @Test
    void routes_withEnoughRequests_haveATimeAboveTheFloor() {
        TailTimes times = new TailTimes();
        assertEquals(Long.MAX_VALUE, times.leastNanos());
        times.read(List.of(row("/a", 5_000, 0.4), row("/b", 5_000, 0.001), row("/c", 999, 0.4)));
        assertEquals(450_000_000, times.nanos(route("/a", "/shop")));
        assertEquals(TailTimes.FLOOR_NANOS, times.nanos(route("/b", "")));
        assertEquals(Long.MAX_VALUE, times.nanos(route("/c", "")));
        assertEquals(Long.MAX_VALUE, times.nanos(route("/d", "")));
        assertEquals(TailTimes.FLOOR_NANOS, times.leastNanos());
    }

    @Test
    void settings_areOneTimeOrP999OrBoth() {
        assertEquals(new SlowSettings(Duration.ZERO, true), SlowSettings.of(List.of("p99.9")));
        for (List<String> words :
                List.of(List.of("0s"), List.of("2s"), List.of("p99.9"), List.of("2s", "p99.9"))) {
            assertEquals(words, SlowSettings.of(words).words());
        }
        for (List<String> words : List.of(List.of("1s", "2s"), List.of("p99.9", "p99.9"))) {
            assertThrows(IllegalArgumentException.class, () -> SlowSettings.of(words));
        }
        assertThrows(IllegalArgumentException.class, () -> SlowSettings.of(List.of("2d")));
        assertThrows(IllegalArgumentException.class, () -> SlowSettings.word("p99"));
    }
}
