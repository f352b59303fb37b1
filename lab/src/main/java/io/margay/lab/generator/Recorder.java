package io.margay.lab.generator;

import io.margay.lab.load.Course;
import io.margay.lab.load.Latency;
import io.margay.lab.load.LoadResult;
import io.margay.lab.load.LoadResultBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Counts what a job's requests came to. Confined to the loop.
final class Recorder {
    /// Latencies above it are recorded as it; the time-out is lower.
    private static final long LATENCY_NANOS_MAX = 120_000_000_000L;

    /// Three digits: 0.1 % of each value.
    private static final int DIGITS = 3;

    private static final long SECOND = 1_000_000_000L;

    /// An hour.
    private static final int SLICES_MAX = 3_600;

    private final Histogram latency = new Histogram(LATENCY_NANOS_MAX, DIGITS);
    private final Histogram late = new Histogram(LATENCY_NANOS_MAX, DIGITS);
    private final Map<String, Long> errors = new TreeMap<>();
    private final Map<String, Long> others = new TreeMap<>();
    private final List<Course.Slice> slices = new ArrayList<>();

    /// Latencies of the second that goes on; null = seconds are not told apart.
    private final @Nullable Histogram second;

    private long begunNanos;
    private long lastSliceNanos;
    private boolean on;
    private long requests;
    private long lastNanos;
    private long failed;
    private long bytesIn;
    private long bytesOut;
    private long opened;
    private long pages;
    private long repeated;

    /// @param slices whether seconds are told apart
    Recorder(boolean slices) {
        second = slices ? new Histogram(LATENCY_NANOS_MAX, 2) : null;
    }

    /// From now on everything counts.
    void start(long nanos) {
        on = true;
        begunNanos = nanos;
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
            long nanos = Math.clamp(nowNanos - startNanos, 0, LATENCY_NANOS_MAX);
            latency.recordValue(nanos);
            if (second != null) {
                slice(second, nowNanos);
                second.recordValue(nanos);
            }
        }
    }

    /// Keeps the second that has passed.
    private void slice(Histogram of, long nowNanos) {
        int last = (int) ((lastSliceNanos - begunNanos) / SECOND);
        if (of.getTotalCount() > 0 && (nowNanos - begunNanos) / SECOND > last) {
            keep(of, last);
        }
        lastSliceNanos = nowNanos;
    }

    private void keep(Histogram of, int number) {
        if (slices.size() < SLICES_MAX) {
            slices.add(
                    new Course.Slice(
                            number,
                            of.getTotalCount(),
                            of.getValueAtPercentile(50) / 1e6,
                            of.getValueAtPercentile(99) / 1e6));
        }
        of.reset();
    }

    /// An answer had another status than was written down; empty = it had not.
    void other(String how) {
        if (on && !how.isEmpty()) {
            others.merge(how, 1L, Long::sum);
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

    private Course course() {
        if (second != null && second.getTotalCount() > 0) {
            keep(second, (int) ((lastSliceNanos - begunNanos) / SECOND));
        }
        return new Course(repeated, others, slices);
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
                .course(course())
                .latency(Latency.encoded(latency))
                .lateMicrosP99(late.getValueAtPercentile(99) / 1e3)
                .userSeconds(userSeconds)
                .systemSeconds(systemSeconds)
                .build();
    }
}
