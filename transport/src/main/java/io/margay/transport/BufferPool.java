package io.margay.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A bounded pool of things that are used for the length of one call or a little longer. What was
/// given back last is taken first, since the processor's caches still know it.
///
/// Thread-safe, and nobody waits: it is made of as many stacks as there are processors, and a stack
/// that another thread is at is passed by. What does not fit in when given back is left to the
/// garbage collector; what is missing is made.
public final class BufferPool<T> {
    private static final int STACKS_MAX = 32;

    /// A stack of fewer would often be empty while others are full.
    private static final int STACK_LEAST = 8;

    /// Array elements of four octets that fill two lines of a processor's cache, since processors
    /// fetch lines in pairs.
    private static final int APART = 32;

    private static final VarHandle STATE = MethodHandles.arrayElementVarHandle(int[].class);

    /// What one processor writes for each call lies two lines of the cache away from what others
    /// do.
    private static final class Stack<T> {
        private static final int BUSY = APART;
        private static final int SIZE = APART + 1;

        private final int[] state = new int[2 * APART + 2];
        private final int capacity;

        /// Guarded by `state[BUSY]`, as `state[SIZE]` is but for a first look.
        private final @Nullable Object[] items;

        Stack(int capacity) {
            this.capacity = capacity;
            items = new @Nullable Object[capacity + 2 * APART];
        }

        @SuppressWarnings("unchecked") // give() puts nothing else in
        @Nullable T take() {
            if (state[SIZE] == 0 || !STATE.compareAndSet(state, BUSY, 0, 1)) {
                return null;
            }
            T found = null;
            int size = state[SIZE];
            if (size > 0) {
                state[SIZE] = --size;
                found = (T) items[APART + size];
                items[APART + size] = null;
            }
            STATE.setRelease(state, BUSY, 0);
            return found;
        }

        boolean give(T item) {
            if (state[SIZE] == capacity || !STATE.compareAndSet(state, BUSY, 0, 1)) {
                return false;
            }
            int size = state[SIZE];
            boolean fits = size < capacity;
            if (fits) {
                items[APART + size] = item;
                state[SIZE] = size + 1;
            }
            STATE.setRelease(state, BUSY, 0);
            return fits;
        }
    }

    private final Stack<T>[] stacks;
    private final Supplier<T> source;
    private final int mask;

    /// @param count how many are kept at most, a power of two
    @SuppressWarnings({"unchecked", "rawtypes"}) // no arrays of generic types
    public BufferPool(int count, Supplier<T> source) {
        if (Integer.bitCount(count) != 1) {
            throw new IllegalArgumentException("count must be a power of two: " + count);
        }
        int processors = Runtime.getRuntime().availableProcessors();
        int most = Math.min(STACKS_MAX, Math.max(1, count / STACK_LEAST));
        stacks = new Stack[Integer.highestOneBit(Math.min(most, processors))];
        for (int i = 0; i < stacks.length; i++) {
            stacks[i] = new Stack<>(count / stacks.length);
        }
        mask = stacks.length - 1;
        this.source = source;
    }

    public T take() {
        int start = start();
        for (int i = 0; i <= mask; i++) {
            T found = stacks[(start + i) & mask].take();
            if (found != null) {
                return found;
            }
        }
        return source.get();
    }

    public void give(T item) {
        int start = start();
        for (int i = 0; i <= mask; i++) {
            if (stacks[(start + i) & mask].give(item)) {
                return;
            }
        }
    }

    private static int start() {
        long id = Thread.currentThread().threadId();
        return (int) (id ^ (id >>> 7));
    }
}
