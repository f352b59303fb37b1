package io.margay.lab.generator;

import io.margay.lab.load.Latency;
import io.margay.lab.load.LoadResult;
import io.margay.lab.load.LoadResultBuilder;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/// Counts what a job's requests came to. Confined to the loop.
final class Recorder {
    /// Latencies above it are recorded as it; the time-out is lower.
    private static final long LATENCY_NANOS_MAX = 120_000_000_000L;

    /// Three digits: 0.1 % of each value.
    private static final int DIGITS = 3;

    private final Histogram latency = new Histogram(LATENCY_NANOS_MAX, DIGITS);
    private final Histogram late = new Histogram(LATENCY_NANOS_MAX, DIGITS);
    private final Map<String, Long> errors = new TreeMap<>();
    private boolean on;
    private long requests;
    private long lastNanos;
    private long failed;
    private long bytesIn;
    private long bytesOut;
    private long opened;
    private long pages;
    private long repeated;

    /// From now on everything counts.
    void start(long nanos) {
        on = true;
        lastNanos = nanos;
    }

    /// From now on nothing counts.
    void stop() {
        on = false;
    }

    void answered(long startNanos, long nowNanos) {
        if (on) {
            requests++;
            lastNanos = nowNanos;
            latency.recordValue(Math.clamp(nowNanos - startNanos, 0, LATENCY_NANOS_MAX));
        }
    }

    void failed(String kind) {
        if (on) {
            failed++;
            errors.merge(kind, 1L, Long::sum);
        }
    }

    void late(long nanos) {
        if (on) {
            late.recordValue(Math.clamp(nanos, 0, LATENCY_NANOS_MAX));
        }
    }

    void read(long bytes) {
        bytesIn += on ? bytes : 0;
    }

    void written(long bytes) {
        bytesOut += on ? bytes : 0;
    }

    void opened() {
        opened += on ? 1 : 0;
    }

    void repeated() {
        repeated += on ? 1 : 0;
    }

    void page() {
        pages += on ? 1 : 0;
    }

    long requests() {
        return requests;
    }

    long failed() {
        return failed;
    }

    long lastNanos() {
        return lastNanos;
    }

    LoadResult result(long startNanos, double userSeconds, double systemSeconds) {
        return LoadResultBuilder.builder()
                .requests(requests)
                .nanos(lastNanos - startNanos)
                .errors(errors)
                .bytesIn(bytesIn)
                .bytesOut(bytesOut)
                .opened(opened)
                .pages(pages)
                .repeated(repeated)
                .latency(Latency.encoded(latency))
                .lateMicrosP99(late.getValueAtPercentile(99) / 1e3)
                .userSeconds(userSeconds)
                .systemSeconds(systemSeconds)
                .build();
    }
}
