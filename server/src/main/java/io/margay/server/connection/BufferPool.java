package io.margay.server.connection;

import java.util.concurrent.atomic.AtomicReferenceArray;

/// Byte arrays of one size that connections lease while they need them. Thread-safe, without locks.
///
/// Bounded: what does not find a free slot is left to the garbage collector. A leased array holds
/// whatever its last user left in it.
final class BufferPool {
    private static final int PROBES = 8;

    private final int bufferBytes;
    private final AtomicReferenceArray<byte[]> slots;

    /// @param count arrays kept at most, a power of two
    BufferPool(int bufferBytes, int count) {
        this.bufferBytes = bufferBytes;
        if (Integer.bitCount(count) != 1) {
            throw new IllegalArgumentException("count must be a power of two");
        }
        slots = new AtomicReferenceArray<>(count);
    }

    int bufferBytes() {
        return bufferBytes;
    }

    byte[] lease() {
        int start = start();
        for (int i = 0; i < PROBES; i++) {
            int slot = (start + i) & (slots.length() - 1);
            if (slots.getPlain(slot) != null) {
                byte[] buffer = slots.getAndSet(slot, null);
                if (buffer != null) {
                    return buffer;
                }
            }
        }
        return new byte[bufferBytes];
    }

    /// Takes an array back; one of another size is ignored.
    void release(byte[] buffer) {
        if (buffer.length != bufferBytes) {
            return;
        }
        int start = start();
        for (int i = 0; i < PROBES; i++) {
            int slot = (start + i) & (slots.length() - 1);
            if (slots.getPlain(slot) == null && slots.compareAndSet(slot, null, buffer)) {
                return;
            }
        }
    }

    private int start() {
        return (int) Thread.currentThread().threadId() * PROBES;
    }
}
