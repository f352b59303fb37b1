package io.margay.transport.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The calls that the kernel has for it, in the general shape of [Libc]. Thread-safe.
public final class IoUringCalls implements IoUring {
    private static final int SYS_IO_URING_SETUP = 425;
    private static final int SYS_IO_URING_ENTER = 426;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED_POPULATE = 0x8001;

    /// Looked up with the first ring.
    private static final class Functions {
        static final MemorySegment SYSCALL = Libc.find("syscall");
        static final MemorySegment MMAP = Libc.find("mmap");
        static final MemorySegment MUNMAP = Libc.find("munmap");

        private Functions() {}
    }

    private final Libc libc;

    public IoUringCalls(Libc libc) {
        this.libc = libc;
    }

    @Override
    public int setup(int entries, MemorySegment parameters) throws IOException {
        MemorySegment errno = libc.allocate(8);
        long number = SYS_IO_URING_SETUP;
        long address = parameters.address();
        long r = Libc.call(errno, Functions.SYSCALL, number, entries, address, 0, 0, 0);
        return (int) checked("io_uring_setup", r, errno);
    }

    @Override
    public long map(int ring, long bytes, long offset) throws IOException {
        MemorySegment errno = libc.allocate(8);
        MemorySegment function = Functions.MMAP;
        long flags = MAP_SHARED_POPULATE;
        long r = Libc.call(errno, function, 0, bytes, PROT_READ_WRITE, flags, ring, offset);
        return checked("mmap", r, errno);
    }

    @Override
    public void unmap(long address, long bytes) throws IOException {
        MemorySegment errno = libc.allocate(8);
        long r = Libc.call(errno, Functions.MUNMAP, address, bytes, 0, 0, 0, 0);
        long _ = checked("munmap", r, errno);
    }

    /// The sixth argument of the system call, which has no place in the shape, is the size of a
    /// signal mask that is not given.
    @Override
    public int enter(MemorySegment errno, int ring, int submit, int completions, int flags) {
        long number = SYS_IO_URING_ENTER;
        MemorySegment function = Functions.SYSCALL;
        long r = Libc.call(errno, function, number, ring, submit, completions, flags, 0);
        return r >= 0 ? (int) r : -errno.get(JAVA_INT, 0);
    }

    @Override
    public void close(int ring) throws IOException {
        libc.close(ring);
    }

    private static long checked(String call, long result, MemorySegment errno) throws IOException {
        if (result == -1) {
            throw Libc.failure(call, errno.get(JAVA_INT, 0));
        }
        return result;
    }
}
