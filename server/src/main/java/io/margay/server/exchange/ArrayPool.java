package io.margay.server.exchange;

import io.margay.transport.BufferPool;

/// Byte arrays of one size that connections lease while they need them. Thread-safe, without locks.
///
/// A leased array holds whatever its last user left in it.
public final class ArrayPool {
    private final int bufferBytes;
    private final BufferPool<byte[]> arrays;

    /// @param count arrays kept at most, a power of two
    public ArrayPool(int bufferBytes, int count) {
        this.bufferBytes = bufferBytes;
        arrays = new BufferPool<>(count, () -> new byte[bufferBytes]);
    }

    public int bufferBytes() {
        return bufferBytes;
    }

    public byte[] lease() {
        return arrays.take();
    }

    /// Takes an array back; one of another size is ignored.
    public void release(byte[] buffer) {
        if (buffer.length == bufferBytes) {
            arrays.give(buffer);
        }
    }
}
