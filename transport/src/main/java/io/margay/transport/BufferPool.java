package io.margay.transport;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/// A bounded pool of things that are used for the length of one call or a little longer.
///
/// Thread-safe, without locks. What does not fit in when given back is left to the garbage
/// collector; what is missing is made.
public final class BufferPool<T> {
    private static final int PROBES = 4;

    private final AtomicReferenceArray<T> slots;
    private final Supplier<T> source;
    private final int mask;

    /// @param slotCount how many are kept at most, a power of two
    public BufferPool(int slotCount, Supplier<T> source) {
        if (Integer.bitCount(slotCount) != 1) {
            throw new IllegalArgumentException("slotCount must be a power of two: " + slotCount);
        }
        this.slots = new AtomicReferenceArray<>(slotCount);
        this.mask = slotCount - 1;
        this.source = source;
    }

    public T take() {
        int start = start();
        for (int i = 0; i < PROBES; i++) {
            int at = (start + i) & mask;
            if (slots.getPlain(at) != null) {
                T found = slots.getAndSet(at, null);
                if (found != null) {
                    return found;
                }
            }
        }
        return source.get();
    }

    public void give(T item) {
        int start = start();
        for (int i = 0; i < PROBES; i++) {
            int at = (start + i) & mask;
            if (slots.getPlain(at) == null && slots.compareAndSet(at, null, item)) {
                return;
            }
        }
    }

    private static int start() {
        long id = Thread.currentThread().threadId();
        return (int) (id ^ (id >>> 7));
    }
}
