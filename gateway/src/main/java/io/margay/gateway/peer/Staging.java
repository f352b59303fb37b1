package io.margay.gateway.peer;

import java.util.Arrays;

/// Bytes that are put together for one write; one for all connections of a loop, since putting and
/// writing are one step. Confined to the loop.
final class Staging {
    private static final int KEPT_BYTES_MAX = 256 * 1024;

    byte[] bytes;
    int to;

    Staging(int size) {
        bytes = new byte[size];
    }

    /// Makes room for so many more bytes.
    void reserve(int count) {
        if (bytes.length - to < count) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, to + count));
        }
    }

    void put(byte[] source, int offset, int length) {
        reserve(length);
        System.arraycopy(source, offset, bytes, to, length);
        to += length;
    }

    /// Starts anew; an array that has grown very large is let go.
    void clear(int size) {
        to = 0;
        if (bytes.length > KEPT_BYTES_MAX) {
            bytes = new byte[size];
        }
    }
}
