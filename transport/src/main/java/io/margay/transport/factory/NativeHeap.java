package io.margay.transport.factory;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Gives the system back what the JIT compilers leave with the C library's allocator: after the
/// start of a small application, a fifth of its memory. The JVM does so with
/// `-XX:TrimNativeHeapInterval`, which nobody sets; here it is done when the process has worked and
/// rests, if native access is enabled.
///
/// Confined to the thread that keeps the program alive, which looks again when it is told to.
public final class NativeHeap {
    /// Time to the next look while there may be something to give back.
    public static final Duration SOON = Duration.ofMillis(200);

    /// Time to the next look while there is nothing to give back yet.
    static final Duration LATER = Duration.ofSeconds(1);

    /// Time from a trim to the second one after the same work: the JVM itself keeps what its
    /// compilers have freed, and lets the C library have it every five seconds.
    static final Duration AGAIN = Duration.ofSeconds(6);

    /// CPU time since the last trim after which there may be something to give back; a trim takes
    /// about a fiftieth of it.
    static final long WORK_NANOS = 500_000_000L;

    /// The process rests while it takes less than one part in so many of a processor.
    static final long REST_SHARE = 10;

    private final LongSupplier clockNanos;
    private final LongSupplier cpuNanos;
    private final BooleanSupplier trim;
    private long lookedNanos;
    private long seenNanos;
    private long trimmedNanos;

    /// Whether there is to be a second trim, and when.
    private boolean again;

    private long againNanos;

    /// @param clockNanos the time
    /// @param cpuNanos CPU time of the process so far
    /// @param trim whether it can be done again
    NativeHeap(LongSupplier clockNanos, LongSupplier cpuNanos, BooleanSupplier trim) {
        this.clockNanos = clockNanos;
        this.cpuNanos = cpuNanos;
        this.trim = trim;
        this.lookedNanos = clockNanos.getAsLong();
    }

    /// That of this process.
    public static NativeHeap ofProcess() {
        return new NativeHeap(
                System::nanoTime, NativeHeap::processNanos, Transports::trimNativeHeap);
    }

    private static long processNanos() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    /// Looks once.
    ///
    /// @return how long until the next look; null = it is not worth looking again
    public @Nullable Duration look() {
        long now = clockNanos.getAsLong();
        long cpu = cpuNanos.getAsLong();
        boolean rests = cpu - seenNanos <= (now - lookedNanos) / REST_SHARE;
        lookedNanos = now;
        seenNanos = cpu;
        boolean worked = cpu - trimmedNanos >= WORK_NANOS;
        boolean due = worked || (again && now - againNanos >= 0);
        if (!due || !rests) {
            return due ? SOON : LATER;
        }
        if (worked) {
            trimmedNanos = cpu;
            againNanos = now + AGAIN.toNanos();
        }
        again = worked;
        return trim.getAsBoolean() ? LATER : null;
    }
}
