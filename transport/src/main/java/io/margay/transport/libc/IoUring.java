package io.margay.transport.libc;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The system calls of io_uring, and the mappings that go with them. Thread-safe.
public interface IoUring {
    /// Go on with the other entries when one of them cannot be submitted; Linux 5.18.
    int SETUP_SUBMIT_ALL = 1 << 7;

    /// Both rings lie in one mapping.
    int FEATURE_SINGLE_MAP = 1;

    /// Wait for completions.
    int ENTER_GET_EVENTS = 1;

    int OPERATION_SEND = 26;

    /// Makes a ring, which no process that this one starts gets.
    ///
    /// @param parameters a `struct io_uring_params`
    /// @return its descriptor
    int setup(int entries, MemorySegment parameters) throws IOException;

    /// Maps a part of a ring.
    ///
    /// @return its address
    long map(int ring, long bytes, long offset) throws IOException;

    void unmap(long address, long bytes) throws IOException;

    /// Submits entries, and waits for completions if it is told to.
    ///
    /// @param errno one int outside the heap, for this caller alone
    /// @return how many entries were taken, or the negated errno
    int enter(MemorySegment errno, int ring, int submit, int completions, int flags);

    void close(int ring) throws IOException;
}
