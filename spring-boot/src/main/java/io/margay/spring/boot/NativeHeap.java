package io.margay.spring.boot;

import io.margay.transport.factory.Transports;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Gives the system back what the JIT compilers leave with the C library's allocator: after the
/// start of a small application, a fifth of its memory. The JVM does so with
/// `-XX:TrimNativeHeapInterval`, which nobody sets; here it is done when the process has worked and
/// rests, if native access is enabled.
///
/// Confined to the thread that keeps the program alive, which looks at each [#PERIOD].
final class NativeHeap {
    static final Duration PERIOD = Duration.ofMillis(500);

    /// CPU time since the last trim after which there may be something to give back; a trim takes
    /// about a fiftieth of it.
    static final long WORK_NANOS = 500_000_000L;

    /// CPU time of a period in which the process rests.
    static final long REST_NANOS = 50_000_000L;

    private final LongSupplier cpuNanos;
    private final BooleanSupplier trim;
    private long seenNanos;
    private long trimmedNanos;
    private boolean possible = true;

    /// @param cpuNanos CPU time of the process so far
    /// @param trim whether it can be done again
    NativeHeap(LongSupplier cpuNanos, BooleanSupplier trim) {
        this.cpuNanos = cpuNanos;
        this.trim = trim;
    }

    /// That of this process.
    static NativeHeap ofProcess() {
        return new NativeHeap(NativeHeap::processNanos, Transports::trimNativeHeap);
    }

    private static long processNanos() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    /// Looks once, a period after the last time.
    ///
    /// @return whether it is worth looking again
    boolean look() {
        long now = cpuNanos.getAsLong();
        boolean rests = now - seenNanos <= REST_NANOS;
        seenNanos = now;
        if (rests && now - trimmedNanos >= WORK_NANOS) {
            trimmedNanos = now;
            possible = trim.getAsBoolean();
        }
        return possible;
    }
}
