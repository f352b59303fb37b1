package io.margay.gateway.protocol;

import java.util.Arrays;

/// Bytes that are put together for one write. Confined to its loop.
public final class SendBuffer {
    private static final int KEPT_BYTES_MAX = 256 * 1024;

    private byte[] bytes;
    private int size;

    public SendBuffer(int capacity) {
        bytes = new byte[capacity];
    }

    /// The array, of which the first [#size] bytes are filled; another one after [#reserve].
    public byte[] bytes() {
        return bytes;
    }

    /// How much has been put.
    public int size() {
        return size;
    }

    /// Says up to where the array has been filled.
    void size(int filled) {
        size = filled;
    }

    /// What fits without growing.
    int room() {
        return bytes.length - size;
    }

    /// Makes room for so many more bytes.
    public void reserve(int count) {
        if (room() < count) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + count));
        }
    }

    /// Puts bytes.
    public void put(byte[] source, int offset, int length) {
        reserve(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
    }

    /// Empties it; an array that has grown very large is replaced by one of `capacity` bytes.
    public void clear(int capacity) {
        size = 0;
        if (bytes.length > KEPT_BYTES_MAX) {
            bytes = new byte[capacity];
        }
    }
}
