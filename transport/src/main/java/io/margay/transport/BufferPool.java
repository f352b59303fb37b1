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
    private static final int STACKS_MAX = 8;
    private static final VarHandle BUSY;

    static {
        try {
            BUSY = MethodHandles.lookup().findVarHandle(Stack.class, "busy", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// Guarded by `busy`, but for a first look at `size`.
    private static final class Stack<T> {
        @SuppressWarnings("UnusedVariable") // through its handle
        private int busy;

        private final @Nullable Object[] items;
        private int size;

        Stack(int capacity) {
            items = new @Nullable Object[capacity];
        }

        @SuppressWarnings("unchecked") // give() puts nothing else in
        @Nullable T take() {
            if (size == 0 || !BUSY.compareAndSet(this, 0, 1)) {
                return null;
            }
            T found = null;
            if (size > 0) {
                found = (T) items[--size];
                items[size] = null;
            }
            BUSY.setRelease(this, 0);
            return found;
        }

        boolean give(T item) {
            if (size == items.length || !BUSY.compareAndSet(this, 0, 1)) {
                return false;
            }
            boolean fits = size < items.length;
            if (fits) {
                items[size++] = item;
            }
            BUSY.setRelease(this, 0);
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
        int processors = Math.min(STACKS_MAX, Runtime.getRuntime().availableProcessors());
        stacks = new Stack[Math.min(count, Integer.highestOneBit(processors))];
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
