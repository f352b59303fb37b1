package io.margay.server.sight;

import io.margay.server.meter.TrafficCounts;

/// Limits of what a server remembers of its requests. Immutable.
///
/// @param seriesMax routes, members and listeners that are watched apart; 8 KiB each, with all
///   classes of status and all phases
/// @param hourBytesMax bytes that the minutes of all of them take; a minute of a busy route has
///   about 100 bytes
/// @param runningMax requests under way that are listed; 4 bytes each
/// @param slowestMax slowest requests that are kept of each minute; 480 in an hour
/// @param failingMax failed requests that are kept; what somebody reads
public record SightLimits(
        int seriesMax, int hourBytesMax, int runningMax, int slowestMax, int failingMax) {
    public SightLimits {
        if (seriesMax < 1
                || hourBytesMax < 1
                || Integer.bitCount(runningMax) != 1
                || slowestMax < 1
                || failingMax < 1) {
            throw new IllegalArgumentException(
                    "limits must be at least 1, runningMax a power of 2");
        }
    }

    /// 512 series, their hour in 2.75 MB, 4 096 requests under way, 8 slowest of each minute, and
    /// 128 that failed: less than 8 MiB in all.
    public static SightLimits defaults() {
        return new SightLimits(512, 2_750_000, 4_096, 8, 128);
    }

    /// Bytes of memory that it takes at most.
    public long bytesMax() {
        return (long) seriesMax * (TrafficCounts.BYTES_MAX + SightKey.BYTES_MAX)
                + hourBytesMax
                + runningMax * 16L
                + ((long) LastHour.MINUTES * slowestMax + failingMax) * SeenRequest.BYTES_MAX;
    }
}
