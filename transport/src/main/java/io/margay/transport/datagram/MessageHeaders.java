package io.margay.transport.datagram;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.margay.transport.libc.Libc;
import java.lang.foreign.MemorySegment;

/// Headers of many messages as C sees them, each with a place for an address and one for what
/// belongs to the message but is not its content. Confined to its loop.
///
/// ```
/// mmsghdr   name:8 its length:4 pad:4 iovec:8 count:8 control:8 its length:8 flags:4 pad:4
///           bytes of the message:4 pad:4
/// iovec     data:8 length:8
/// cmsghdr   length:8 level:4 type:4 data
/// ```
final class MessageHeaders {
    /// Octets of an address, at most.
    static final int NAME_BYTES = 32;

    static final int CONTROL_BYTES = 128;

    /// What comes before the data of a `cmsghdr`.
    static final int CONTROL_HEADER = 16;

    private static final long HEADER_BYTES = 64;
    private static final long NAME_LENGTH = 8;
    private static final long IOVEC = 16;
    private static final long IOVEC_COUNT = 24;
    private static final long CONTROL = 32;
    private static final long CONTROL_LENGTH = 40;
    private static final long BYTES = 56;
    private static final long IOVEC_BYTES = 16;

    final MemorySegment headers;
    final MemorySegment names;
    final MemorySegment controls;
    private final MemorySegment vectors;

    MessageHeaders(Libc libc, int count) {
        headers = libc.allocate(count * HEADER_BYTES);
        names = libc.allocate((long) count * NAME_BYTES);
        controls = libc.allocate((long) count * CONTROL_BYTES);
        vectors = libc.allocate(count * IOVEC_BYTES);
        for (int i = 0; i < count; i++) {
            long at = i * HEADER_BYTES;
            headers.set(JAVA_LONG, at, names.address() + name(i));
            headers.set(JAVA_LONG, at + IOVEC, vectors.address() + i * IOVEC_BYTES);
            headers.set(JAVA_LONG, at + IOVEC_COUNT, 1);
            headers.set(JAVA_LONG, at + CONTROL, controls.address() + control(i));
        }
    }

    static long name(int place) {
        return (long) place * NAME_BYTES;
    }

    static long control(int place) {
        return (long) place * CONTROL_BYTES;
    }

    /// Where the headers from a place on begin.
    long address(int place) {
        return headers.address() + place * HEADER_BYTES;
    }

    void data(int place, long address, long length) {
        vectors.set(JAVA_LONG, place * IOVEC_BYTES, address);
        vectors.set(JAVA_LONG, place * IOVEC_BYTES + 8, length);
    }

    void nameLength(int place, int length) {
        headers.set(JAVA_INT, place * HEADER_BYTES + NAME_LENGTH, length);
    }

    void controlLength(int place, long length) {
        headers.set(JAVA_LONG, place * HEADER_BYTES + CONTROL_LENGTH, length);
    }

    long controlLength(int place) {
        return headers.get(JAVA_LONG, place * HEADER_BYTES + CONTROL_LENGTH);
    }

    /// Octets that a message has which was received.
    int bytes(int place) {
        return headers.get(JAVA_INT, place * HEADER_BYTES + BYTES);
    }

    /// Puts the header of a control message; its data follows.
    ///
    /// @param at where in [#controls]
    /// @return where the next one begins
    long putControl(long at, int level, int type, int dataBytes) {
        controls.set(JAVA_LONG, at, CONTROL_HEADER + dataBytes);
        controls.set(JAVA_INT, at + 8, level);
        controls.set(JAVA_INT, at + 12, type);
        return at + CONTROL_HEADER + aligned(dataBytes);
    }

    static long aligned(long bytes) {
        return (bytes + 7) & ~7L;
    }
}
