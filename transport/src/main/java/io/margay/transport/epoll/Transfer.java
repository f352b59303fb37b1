package io.margay.transport.epoll;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// What one caller needs for its calls: a direct buffer, also as a segment, and the place where C
/// leaves `errno`.
record Transfer(ByteBuffer buffer, MemorySegment segment, MemorySegment errno) {
    static Transfer allocate(int bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        MemorySegment errno = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(Integer.BYTES));
        return new Transfer(buffer, MemorySegment.ofBuffer(buffer), errno);
    }

    /// The result, or the negated errno of a call that failed.
    int result(int returned) {
        return returned >= 0 ? returned : -errno.get(JAVA_INT_UNALIGNED, 0);
    }
}
