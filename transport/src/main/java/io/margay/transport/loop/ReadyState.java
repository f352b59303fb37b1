package io.margay.transport.loop;

import io.margay.transport.Connection;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Who wants which event of a connection, which events are remembered, and whether it is in use or
/// closed: one atomic word, so that setting the interest is one compare-and-set and costs a task on
/// the loop only when an event was remembered. Thread-safe.
///
/// ```
/// bit   11..10   9..8    7      6       5..4    3..2    1..0
///       closing  armed   busy   queued  waits   ready   interest     (each pair: WRITE, READ)
/// ```
///
/// `ready`: an event came that was not delivered. Edge-triggered: set by events, cleared by the
/// read or write that finds nothing more. Level-triggered: set when nobody wanted the event, which
/// also disarms it at the selector; `armed` is what the selector reports.
final class ReadyState {
    /// Reading and writing.
    static final int BOTH = Connection.READ | Connection.WRITE;

    /// Of a result beside operations: a waiting thread is to be woken.
    static final int AWAITED = 1 << 2;

    /// Of a result beside operations: the connection is to be put into the loop's queue.
    static final int QUEUE = 1 << 3;

    /// What the selector reports is to stay as it is.
    static final int UNCHANGED = -1;

    private static final int READY_SHIFT = 2;
    private static final int WAIT_SHIFT = 4;
    private static final int WAITS = BOTH << WAIT_SHIFT;
    private static final int QUEUED = 1 << 6;

    /// The socket of an edge-triggered connection is in use, on any thread.
    private static final int BUSY = 1 << 7;

    private static final int ARMED_SHIFT = 8;
    private static final int CLOSED = 1 << 10;

    /// The loop has closed the connection; the raw socket follows when no I/O is running.
    private static final int RELEASED = 1 << 11;

    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(ReadyState.class, "word", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final boolean edgeTriggered;
    private volatile int word;

    ReadyState(boolean edgeTriggered) {
        this.edgeTriggered = edgeTriggered;
    }

    private int set(int bits) {
        return (int) WORD.getAndBitwiseOr(this, bits);
    }

    private int clear(int bits) {
        return (int) WORD.getAndBitwiseAnd(this, ~bits);
    }

    private static int ready(int word) {
        return (word >> READY_SHIFT) & BOTH;
    }

    private static int armed(int word) {
        return (word >> ARMED_SHIFT) & BOTH;
    }

    // Closing

    /// @return whether it was open until now
    boolean close() {
        return (set(CLOSED) & CLOSED) == 0;
    }

    boolean isClosed() {
        return (word & CLOSED) != 0;
    }

    /// The loop is done with the connection.
    ///
    /// @return whether the socket can be closed now; otherwise [#endIo] says when
    boolean release() {
        return (set(RELEASED) & BUSY) == 0;
    }

    // Events, on the loop

    /// What is to be reported at first.
    int armFirst() {
        int armed = edgeTriggered ? BOTH : Connection.READ | (word & BOTH);
        set(armed << ARMED_SHIFT);
        return armed;
    }

    /// Adds new events to the remembered ones, and takes out what is to be delivered.
    ///
    /// @return operations that are wanted, with [#AWAITED] if a thread waits for one that has come
    int arrive(int operations) {
        for (; ; ) {
            int s = word;
            int ready = operations | ready(s);
            int wanted = ready & s & BOTH;
            int awaited = ready & (s >> WAIT_SHIFT) & BOTH;
            int rest = edgeTriggered ? ready : ready & ~wanted & ~awaited;
            int n = (s & ~(BOTH << READY_SHIFT)) | (rest << READY_SHIFT);
            if (awaited != 0) {
                n &= ~WAITS;
            }
            if (n == s || WORD.compareAndSet(this, s, n)) {
                return awaited == 0 ? wanted : wanted | AWAITED;
            }
        }
    }

    /// Whether an event is remembered that somebody wants.
    boolean isDue() {
        int s = word;
        return (s & ready(s)) != 0;
    }

    /// Changes what the selector is to report to what is wanted; level-triggered only.
    ///
    /// @return what it is to report, or [#UNCHANGED]
    int rearm() {
        for (; ; ) {
            int s = word;
            int armed = armed(s);
            int want = ((s | (s >> WAIT_SHIFT)) & BOTH) | (armed & Connection.READ);
            want &= ~ready(s);
            if (want == armed) {
                return UNCHANGED;
            }
            int n = (s & ~(BOTH << ARMED_SHIFT)) | (want << ARMED_SHIFT);
            if (WORD.compareAndSet(this, s, n)) {
                return want;
            }
        }
    }

    // The loop's queue

    /// @return whether the connection is to be put into the queue; otherwise it is there
    boolean queue() {
        return (set(QUEUED) & QUEUED) == 0;
    }

    /// It has been taken out of the queue.
    void unqueue() {
        clear(QUEUED);
    }

    // Interest, from any thread

    boolean isWanted(int operation) {
        return (word & operation) != 0;
    }

    /// Says which operations are wanted, in place of those before.
    ///
    /// @param delivers whether a delivery is under way that will look at this itself
    /// @return whether the connection is to be put into the loop's queue
    boolean want(int operations, boolean delivers) {
        for (; ; ) {
            int s = word;
            int n = (s & ~BOTH) | (operations & BOTH);
            int unarmed = operations & ~armed(s);
            boolean kick = (operations & (ready(s) | unarmed) & BOTH) != 0;
            if (kick && !delivers) {
                n |= QUEUED;
            }
            if (n == s) {
                return false;
            }
            if (WORD.compareAndSet(this, s, n)) {
                return (n & ~s & QUEUED) != 0;
            }
        }
    }

    /// Begins the wait of a thread, unless there is no need.
    ///
    /// @return operations that are remembered, so that no wait has begun; [#QUEUE] if the
    ///   connection is to be put into the loop's queue
    int beginWait(int operations) {
        for (; ; ) {
            int s = word;
            int ready = ready(s) & operations;
            int n;
            if (ready != 0) {
                n = edgeTriggered ? s : s & ~(ready << READY_SHIFT);
            } else {
                n = s | (operations & BOTH) << WAIT_SHIFT;
                if ((operations & ~armed(s) & BOTH) != 0) {
                    n |= QUEUED;
                }
            }
            if (n == s || WORD.compareAndSet(this, s, n)) {
                return (n & ~s & QUEUED) != 0 ? ready | QUEUE : ready;
            }
        }
    }

    boolean isAwaiting() {
        return (word & WAITS) != 0;
    }

    /// Gives the wait up.
    ///
    /// @return whether the event had not come
    boolean endWait() {
        return (clear(WAITS) & WAITS) != 0;
    }

    // Reads and writes, by the owner

    /// Begins I/O that must not overlap with the closing of the socket; what `operations` had
    /// remembered is forgotten, because the I/O is about to see it.
    ///
    /// @return false when it is closed
    /// @throws IllegalStateException when other I/O is under way
    boolean beginIo(int operations) {
        for (; ; ) {
            int s = word;
            if ((s & CLOSED) != 0) {
                return false;
            }
            if ((s & BUSY) != 0) {
                throw new IllegalStateException("connection used by two threads at a time");
            }
            int n = (s | BUSY) & ~((operations & BOTH) << READY_SHIFT);
            if (WORD.compareAndSet(this, s, n)) {
                return true;
            }
        }
    }

    /// Ends it; `operations` that may be possible still are remembered.
    ///
    /// @return whether the socket is to be closed now
    boolean endIo(int operations) {
        for (; ; ) {
            int s = word;
            int n = (s & ~BUSY) | (operations & BOTH) << READY_SHIFT;
            if (WORD.compareAndSet(this, s, n)) {
                return (s & RELEASED) != 0;
            }
        }
    }

    /// Remembers that operations are possible, from any thread.
    void remember(int operations) {
        set((operations & BOTH) << READY_SHIFT);
    }

    /// Forgets it, before a last try that is to find out.
    void forget(int operations) {
        clear((operations & BOTH) << READY_SHIFT);
    }
}
