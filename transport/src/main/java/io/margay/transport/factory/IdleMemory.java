package io.margay.transport.factory;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Gives the system back what an idle process holds and does not need, when the process has worked
/// and rests, if native access is enabled:
///
/// - what the JIT compilers leave with the C library's allocator: after the start of a small
///   application, a fifth of its memory. The JVM does so with `-XX:TrimNativeHeapInterval`, which
///   nobody sets;
/// - pages of class archives ([ArchivePages]) that the work has touched; with a second trim alone,
///   and seldom, for what is in use comes back at once.
///
/// Confined to the thread that keeps the program alive, which looks again when it is told to.
public final class IdleMemory {
    /// Time to the next look while there may be something to give back.
    public static final Duration SOON = Duration.ofMillis(200);

    /// Time to the next look while there is nothing to give back yet: as long as to the second
    /// trim. A look takes a millisecond, for it reads what the system knows of the process.
    static final Duration LATER = Duration.ofSeconds(6);

    /// Time from a trim to the second one after the same work: the JVM itself keeps what its
    /// compilers have freed, and lets the C library have it every five seconds.
    static final Duration AGAIN = LATER;

    /// CPU time since the last trim after which there may be something to give back; a trim takes
    /// about a fiftieth of it.
    static final long WORK_NANOS = 500_000_000L;

    /// CPU time since pages were given back after which it is worth it again; it takes a thousandth
    /// of that.
    static final long PAGES_WORK_NANOS = 10_000_000_000L;

    /// The process rests while it takes less than one part in so many of a processor.
    static final long REST_SHARE = 10;

    private final LongSupplier clockNanos;
    private final LongSupplier cpuNanos;
    private final BooleanSupplier trim;
    private final Runnable pages;
    private long lookedNanos;
    private long seenNanos;
    private long trimmedNanos;

    /// Whether there is to be a second trim, and when.
    private boolean again;

    private long againNanos;

    /// CPU time from which on pages are given back again.
    private long pagesFromNanos;

    /// @param clockNanos the time
    /// @param cpuNanos CPU time of the process so far
    /// @param trim whether it can be done again
    /// @param pages gives pages of archives back
    IdleMemory(
            LongSupplier clockNanos, LongSupplier cpuNanos, BooleanSupplier trim, Runnable pages) {
        this.clockNanos = clockNanos;
        this.cpuNanos = cpuNanos;
        this.trim = trim;
        this.pages = pages;
        this.lookedNanos = clockNanos.getAsLong();
    }

    /// That of this process.
    public static IdleMemory ofProcess() {
        return new IdleMemory(
                System::nanoTime,
                IdleMemory::processNanos,
                Transports::trimNativeHeap,
                ArchivePages::giveBack);
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
        boolean possible = trim.getAsBoolean();
        if (possible && !worked && cpu >= pagesFromNanos) {
            pages.run();
            pagesFromNanos = cpu + PAGES_WORK_NANOS;
        }
        return possible ? LATER : null;
    }
}
