package io.margay.lab.load;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Map;

/// What the generator saw of one job. Immutable.
///
/// @param requests answers that were whole and right
/// @param nanos from the first request to the last answer that counts
/// @param errors requests that failed, by kind
/// @param opened connections opened while it was measured
/// @param pages pages with all that is on them, for [LoadJob.Shape#PAGES]
/// @param course how it went, besides
/// @param latency HdrHistogram of nanoseconds, compressed, in base 64
/// @param lateMicrosP99 99th percentile of how late the generator itself was, for
///   [LoadJob.Shape#RATE]
/// @param userSeconds CPU time of the generator itself
/// @param systemSeconds the same inside the kernel
@RecordBuilder
public record LoadResult(
        long requests,
        long nanos,
        Map<String, Long> errors,
        long bytesIn,
        long bytesOut,
        long opened,
        long pages,
        Course course,
        String latency,
        double lateMicrosP99,
        double userSeconds,
        double systemSeconds)
        implements LoadResultBuilder.With {
    public LoadResult {
        errors = Map.copyOf(errors);
    }

    /// Answers per second.
    public double perSecond() {
        return nanos == 0 ? 0 : requests * 1e9 / nanos;
    }

    /// The number of requests that failed.
    public long failed() {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }
}
