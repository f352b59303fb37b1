package io.margay.transport.loop;

import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.ConnectionIds;
import io.margay.transport.Dialer;
import io.margay.transport.LentTask;
import io.margay.transport.TlsSession;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A non-blocking connection on an [EventLoop]: who wants which event, and which events are
/// remembered. The subclasses move the bytes.
///
/// One atomic word holds the state, so that setting the interest is one compare-and-set and costs a
/// task on the loop only when an event was remembered.
///
/// ```
/// bit   11..10   9..8    7      6       5..4    3..2    1..0
///       closing  armed   busy   queued  waits   ready   interest     (each pair: WRITE, READ)
/// ```
///
/// `ready`: an event came that was not delivered. Edge-triggered: set by events, cleared by the
/// read or write that finds nothing more. Level-triggered: set when nobody wanted the event, which
/// also disarms it at the selector; `armed` is what the selector reports.
public abstract class LoopConnection implements Connection {
    static final int INTEREST = 3;
    static final int READY_SHIFT = 2;
    static final int WAIT_SHIFT = 4;
    static final int WAITS = 3 << WAIT_SHIFT;
    static final int QUEUED = 1 << 6;

    /// A subclass's I/O is running, on any thread.
    static final int BUSY = 1 << 7;

    static final int ARMED_SHIFT = 8;
    static final int CLOSED = 1 << 10;

    /// The loop has closed the connection; the raw socket follows when no I/O is running.
    static final int RELEASED = 1 << 11;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(LoopConnection.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    protected final EventLoop loop;

    /// Place in the loop's table.
    int index;

    private final long id;
    private final @Nullable LoopListener listener;
    private final boolean edgeTriggered;
    private final TaskQueue.Node node = new TaskQueue.Node(this::runQueued);
    private final DeadlineWheel.Entry timer = new DeadlineWheel.Entry(this::deadlinePassed);
    private volatile int state;
    private volatile @Nullable Thread waiter;
    private volatile boolean resetOnClose;
    private @Nullable ConnectionHandler handler;
    private boolean delivering;
    private boolean finished;

    protected LoopConnection(
            EventLoop loop, @Nullable LoopListener listener, boolean edgeTriggered) {
        this.loop = loop;
        this.id = ConnectionIds.next();
        this.listener = listener;
        this.edgeTriggered = edgeTriggered;
    }

    /// Makes the loop report events of the socket. Called once, on the loop.
    protected abstract void register(int operations) throws IOException;

    /// The connection ends; its events are of no use any more. On the loop.
    protected void unregister() {}

    /// Changes what is reported; level-triggered only.
    protected abstract void arm(int operations);

    /// Closes the socket; called once, when no I/O is running on it.
    protected abstract void closeSocket(boolean withReset);

    // Life

    /// Brings the connection to life, on the loop.
    final void open(ConnectionHandler.Factory handlers) {
        loop.add(this);
        delivering = true;
        try {
            handler = handlers.accept(this);
            int armed = edgeTriggered ? INTEREST : READ | (state & INTEREST);
            set(armed << ARMED_SHIFT);
            register(armed);
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
        } finally {
            delivering = false;
        }
        settle();
    }

    final boolean belongsTo(LoopListener owner) {
        return listener == owner;
    }

    @Override
    public final void close() {
        int before = set(CLOSED);
        if ((before & CLOSED) != 0) {
            return;
        }
        LockSupport.unpark(waiter);
        if (!(loop.inLoop() && delivering)) {
            queue();
        }
    }

    @Override
    public final void reset() {
        resetOnClose = true;
        close();
    }

    @Override
    public final boolean isClosed() {
        return (state & CLOSED) != 0;
    }

    /// The connection's end, on the loop.
    private void finish() {
        if (finished) {
            return;
        }
        finished = true;
        loop.cancel(timer);
        unregister();
        int before = set(RELEASED);
        if ((before & BUSY) == 0) {
            closeSocket(resetOnClose);
        }
        loop.remove(this);
        try {
            if (handler != null) {
                handler.onClosed();
            }
        } catch (RuntimeException | Error e) {
            loop.logFailure(this, e);
        }
        if (listener != null) {
            listener.released();
        }
    }

    /// Closes after a failure that left the handler.
    private void fail(Throwable failure) {
        loop.logFailure(this, failure);
        close();
    }

    // Events, on the loop

    /// Delivers what is ready and wanted, and remembers the rest.
    ///
    /// @param operations what the poll has just reported
    protected final void deliver(int operations) {
        if (delivering) {
            return;
        }
        delivering = true;
        try {
            int wanted = sort(operations);
            if ((wanted & READ) != 0 && !isClosed()) {
                handler().onReadable();
            }
            if ((wanted & WRITE) != 0 && !isClosed() && (state & WRITE) != 0) {
                handler().onWritable();
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            delivering = false;
        }
        settle();
    }

    /// Adds new events to the remembered ones, wakes a waiter, and takes out what is to be
    /// delivered.
    private int sort(int operations) {
        for (; ; ) {
            int s = state;
            int ready = operations | ((s >> READY_SHIFT) & INTEREST);
            int wanted = ready & s & INTEREST;
            int awaited = ready & (s >> WAIT_SHIFT) & INTEREST;
            int rest = edgeTriggered ? ready : ready & ~wanted & ~awaited;
            int n = (s & ~(INTEREST << READY_SHIFT)) | (rest << READY_SHIFT);
            if (awaited != 0) {
                n &= ~WAITS;
            }
            if (n == s || STATE.compareAndSet(this, s, n)) {
                if (awaited != 0) {
                    LockSupport.unpark(waiter);
                }
                return wanted;
            }
        }
    }

    /// What follows a delivery: the end, another delivery, or a change of what is armed.
    private void settle() {
        if (isClosed()) {
            finish();
            return;
        }
        if (edgeTriggered) {
            int s = state;
            if ((s & (s >> READY_SHIFT) & INTEREST) != 0) {
                queue();
            }
            return;
        }
        for (; ; ) {
            int s = state;
            int armed = (s >> ARMED_SHIFT) & INTEREST;
            int ready = (s >> READY_SHIFT) & INTEREST;
            if ((ready & s) != 0) {
                queue();
            }
            int want = ((s | (s >> WAIT_SHIFT)) & INTEREST) | (armed & READ);
            want &= ~ready;
            if (want == armed) {
                return;
            }
            int n = (s & ~(INTEREST << ARMED_SHIFT)) | (want << ARMED_SHIFT);
            if (STATE.compareAndSet(this, s, n)) {
                arm(want);
                return;
            }
        }
    }

    private void runQueued() {
        clear(QUEUED);
        if (!finished) {
            if (isClosed()) {
                finish();
            } else {
                deliver(0);
            }
        }
    }

    private void deadlinePassed() {
        if (isClosed()) {
            return;
        }
        boolean outer = !delivering;
        delivering = true;
        try {
            handler().onDeadline();
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            delivering = !outer;
        }
        if (outer) {
            settle();
        }
    }

    private ConnectionHandler handler() {
        ConnectionHandler h = handler;
        if (h == null) {
            throw new IllegalStateException("event before the handler was made");
        }
        return h;
    }

    // Interest, from any thread

    @Override
    public final void interest(int operations) {
        boolean delivers = loop.inLoop() && delivering;
        for (; ; ) {
            int s = state;
            int n = (s & ~INTEREST) | (operations & INTEREST);
            int unarmed = operations & ~(s >> ARMED_SHIFT);
            boolean kick = (operations & ((s >> READY_SHIFT) | unarmed) & INTEREST) != 0;
            if (kick && !delivers) {
                n |= QUEUED;
            }
            if (n == s) {
                return;
            }
            if (STATE.compareAndSet(this, s, n)) {
                if ((n & ~s & QUEUED) != 0) {
                    loop.post(node);
                }
                return;
            }
        }
    }

    @Override
    public final boolean await(int operations, long timeoutNanos) throws IOException {
        if (loop.inLoop()) {
            throw new IllegalStateException("await on the loop thread");
        }
        long end = System.nanoTime() + timeoutNanos;
        waiter = Thread.currentThread();
        try {
            if (startWait(operations)) {
                return true;
            }
            loop.aboutToWait();
            for (; ; ) {
                int s = state;
                if ((s & CLOSED) != 0) {
                    throw new ClosedChannelException();
                }
                if ((s & WAITS) == 0) {
                    return true;
                }
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return (clear(WAITS) & WAITS) == 0;
                }
                LockSupport.parkNanos(this, left);
                if (Thread.interrupted()) {
                    clear(WAITS);
                    Thread.currentThread().interrupt();
                    throw new java.io.InterruptedIOException("interrupted while waiting");
                }
            }
        } finally {
            waiter = null;
        }
    }

    /// Registers the wait.
    ///
    /// @return whether an event had been remembered, so that no wait is needed
    private boolean startWait(int operations) throws IOException {
        for (; ; ) {
            int s = state;
            if ((s & CLOSED) != 0) {
                throw new ClosedChannelException();
            }
            int ready = (s >> READY_SHIFT) & operations & INTEREST;
            int n;
            if (ready != 0) {
                n = edgeTriggered ? s : s & ~(ready << READY_SHIFT);
            } else {
                n = s | (operations & INTEREST) << WAIT_SHIFT;
                if ((operations & ~(s >> ARMED_SHIFT) & INTEREST) != 0) {
                    n |= QUEUED;
                }
            }
            if (n == s || STATE.compareAndSet(this, s, n)) {
                if ((n & ~s & QUEUED) != 0) {
                    loop.post(node);
                }
                return ready != 0;
            }
        }
    }

    // For the subclasses' reads and writes

    /// Begins I/O that must not overlap with the closing of the socket; what `operations` had
    /// remembered is forgotten, because the I/O is about to see it.
    protected final void beginIo(int operations) throws IOException {
        for (; ; ) {
            int s = state;
            if ((s & CLOSED) != 0) {
                throw new ClosedChannelException();
            }
            if ((s & BUSY) != 0) {
                throw new IllegalStateException("connection used by two threads at a time");
            }
            int n = (s | BUSY) & ~((operations & INTEREST) << READY_SHIFT);
            if (STATE.compareAndSet(this, s, n)) {
                return;
            }
        }
    }

    /// Ends it; `operations` that may be possible still are remembered.
    protected final void endIo(int operations) {
        for (; ; ) {
            int s = state;
            int n = (s & ~BUSY) | (operations & INTEREST) << READY_SHIFT;
            if (STATE.compareAndSet(this, s, n)) {
                if ((s & RELEASED) != 0) {
                    closeSocket(resetOnClose);
                }
                return;
            }
        }
    }

    /// Forgets remembered readiness, before a last try that is to find out.
    protected final void forget(int operations) {
        clear((operations & INTEREST) << READY_SHIFT);
    }

    /// Remembers readiness without delivering it, from any thread; the loop delivers soon.
    protected final void signal(int operations) {
        set((operations & INTEREST) << READY_SHIFT);
        queue();
    }

    /// Throws when the connection is closed.
    protected final void checkOpen() throws IOException {
        if (isClosed()) {
            throw new ClosedChannelException();
        }
    }

    // The rest of the contract

    @Override
    public final void execute(Runnable task) {
        loop.execute(guarded(task));
    }

    @Override
    public final boolean compute(Runnable step) {
        return loop.inLoop() && loop.compute(guarded(step));
    }

    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                fail(e);
            }
        };
    }

    @Override
    public final boolean lend(LentTask task) {
        return loop.inLoop() && loop.lend(task);
    }

    @Override
    public final void deadline(long nanoTime) {
        if (timer.move(nanoTime)) {
            if (loop.inLoop()) {
                scheduleTimer();
            } else {
                loop.execute(this::scheduleTimer);
            }
        }
    }

    private void scheduleTimer() {
        if (!finished) {
            loop.schedule(timer);
        }
    }

    @Override
    public final long id() {
        return id;
    }

    @Override
    public final boolean blocking() {
        return false;
    }

    @Override
    public final boolean inLoop() {
        return loop.inLoop();
    }

    @Override
    public boolean flush() throws IOException {
        return true;
    }

    @Override
    public final @Nullable TlsSession tls() {
        return null;
    }

    @Override
    public final Dialer dialer() {
        return loop.dialer();
    }

    @Override
    public abstract SocketAddress local();

    @Override
    public abstract SocketAddress remote();

    @Override
    public String toString() {
        return getClass().getSimpleName() + " " + id;
    }

    private void queue() {
        if ((set(QUEUED) & QUEUED) == 0) {
            loop.post(node);
        }
    }

    private int set(int bits) {
        return (int) STATE.getAndBitwiseOr(this, bits);
    }

    private int clear(int bits) {
        return (int) STATE.getAndBitwiseAnd(this, ~bits);
    }
}
