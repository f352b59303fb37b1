package io.margay.servlet.engine.application;

import java.util.concurrent.atomic.AtomicReferenceArray;

/// Response buffers of one size, lent to one response at a time. Thread-safe without locks: each
/// slot is taken and given by one atomic exchange.
final class BufferSlots {
    private static final int SLOTS = 64;

    private final int size;
    private final AtomicReferenceArray<byte[]> slots = new AtomicReferenceArray<>(SLOTS);

    BufferSlots(int size) {
        this.size = size;
    }

    byte[] take() {
        int start = start();
        for (int i = 0; i < 4; i++) {
            int slot = (start + i) & (SLOTS - 1);
            byte[] buffer = slots.getPlain(slot);
            if (buffer != null) {
                buffer = slots.getAndSet(slot, null);
                if (buffer != null) {
                    return buffer;
                }
            }
        }
        return new byte[size];
    }

    void give(byte[] buffer) {
        if (buffer.length != size) {
            return;
        }
        int start = start();
        for (int i = 0; i < 4; i++) {
            int slot = (start + i) & (SLOTS - 1);
            if (slots.getPlain(slot) == null && slots.compareAndSet(slot, null, buffer)) {
                return;
            }
        }
    }

    /// Threads start at different slots, so that they seldom meet.
    private static int start() {
        return (int) (Thread.currentThread().threadId() * 4);
    }
}
