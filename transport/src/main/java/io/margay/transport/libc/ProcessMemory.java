package io.margay.transport.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// What the process holds of the system's memory and may give back. Stateless; Linux alone.
public final class ProcessMemory {
    private static final int MADV_DONTNEED = 4;

    /// Of glibc alone.
    private static final @Nullable MemorySegment MALLOC_TRIM =
            Linker.nativeLinker().defaultLookup().find("malloc_trim").orElse(null);

    private static final MemorySegment MADVISE = Libc.find("madvise");

    private ProcessMemory() {}

    /// Gives back what is free in the allocator.
    ///
    /// @return whether there is a function for it
    public static boolean trimHeap() {
        MemorySegment trim = MALLOC_TRIM;
        if (trim != null) {
            call(trim, 0, 0, 0);
        }
        return trim != null;
    }

    /// Takes pages out of the process's memory; when they are asked for again they are as in the
    /// file that is mapped there. For mappings that nothing has been written to.
    public static void dropPages(long address, long bytes) {
        call(MADVISE, address, bytes, MADV_DONTNEED);
    }

    private static void call(MemorySegment function, long a, long b, long c) {
        MemorySegment errno = Arena.ofAuto().allocate(JAVA_INT);
        long _ = Libc.call(errno, function, a, b, c, 0, 0, 0);
    }
}
