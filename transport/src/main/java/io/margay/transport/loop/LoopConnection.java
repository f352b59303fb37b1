package io.margay.transport.loop;

import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.ConnectionIds;
import io.margay.transport.Dialer;
import io.margay.transport.LeaderTask;
import io.margay.transport.ProxyHeader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A non-blocking connection on an [EventLoop]. Its [ReadyState] says who wants which event and
/// which events are remembered; its [LoopSocket] moves the bytes.
public final class LoopConnection implements Connection, Pollable {
    private static final int INTEREST = ReadyState.BOTH;

    private final EventLoop loop;
    private final LoopSocket socket;

    /// Place in the loop's table.
    int index;

    private final long id;
    private final @Nullable LoopListener listener;
    private final boolean edgeTriggered;
    private final TaskQueue.Node node = new TaskQueue.Node(this::runQueued);
    private final DeadlineWheel.Entry timer = new DeadlineWheel.Entry(this::deadlinePassed);
    private final ReadyState state;
    private volatile @Nullable Thread waiter;
    private volatile boolean resetOnClose;
    private volatile @Nullable ProxyHeader proxied;
    private @Nullable ConnectionHandler handler;
    private boolean delivering;
    private boolean finished;

    /// Whether a batch of its loop has a write to it.
    boolean joined;

    /// The end of input, or an error, was reported: no further event will come, so a short read
    /// does not mean that nothing follows.
    private volatile boolean peerEnded;

    /// @param listener where a place has been reserved for it; null for a connection that was
    ///   dialled
    public LoopConnection(EventLoop loop, @Nullable LoopListener listener, LoopSocket socket) {
        this.loop = loop;
        this.socket = socket;
        this.id = ConnectionIds.next();
        this.listener = listener;
        this.edgeTriggered = socket.edgeTriggered();
        this.state = new ReadyState(edgeTriggered);
    }

    // Life

    /// Brings the connection to life, on the loop.
    void open(ConnectionHandler.Factory handlers) {
        loop.add(this);
        delivering = true;
        try {
            handler = handlers.accept(this);
            socket.register(this, state.armFirst());
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
        } finally {
            delivering = false;
        }
        settle();
    }

    boolean belongsTo(LoopListener owner) {
        return listener == owner;
    }

    @Override
    public void close() {
        if (!state.close()) {
            return;
        }
        LockSupport.unpark(waiter);
        if (!(loop.inLoop() && delivering)) {
            queue();
        }
    }

    @Override
    public void reset() {
        resetOnClose = true;
        close();
    }

    @Override
    public boolean isClosed() {
        return state.isClosed();
    }

    /// The connection's end, on the loop.
    private void finish() {
        if (finished) {
            return;
        }
        finished = true;
        loop.cancel(timer);
        socket.unregister();
        if (state.release()) {
            socket.close(resetOnClose);
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
            listener.released(socket.remote(), proxied);
        }
    }

    /// Closes after a failure that left the handler.
    private void fail(Throwable failure) {
        loop.logFailure(this, failure);
        close();
    }

    // Events, on the loop

    @Override
    public void ready(int operations) {
        if ((operations & ENDED) != 0) {
            peerEnded = true;
        }
        deliver(operations & INTEREST);
    }

    /// Delivers what is ready and wanted, and remembers the rest.
    ///
    /// @param operations what the poll has just reported
    private void deliver(int operations) {
        if (delivering) {
            return;
        }
        delivering = true;
        try {
            int taken = state.arrive(operations);
            if ((taken & ReadyState.AWAITED) != 0) {
                LockSupport.unpark(waiter);
            }
            int wanted = taken & INTEREST;
            if ((wanted & READ) != 0 && !isClosed()) {
                handler().onReadable();
            }
            if ((wanted & WRITE) != 0 && !isClosed() && state.isWanted(WRITE)) {
                handler().onWritable();
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            delivering = false;
        }
        settle();
    }

    /// What follows a delivery: the end, another delivery, or a change of what is armed.
    private void settle() {
        if (isClosed()) {
            finish();
            return;
        }
        if (state.isDue()) {
            queue();
        }
        if (!edgeTriggered) {
            int armed = state.rearm();
            if (armed != ReadyState.UNCHANGED) {
                socket.arm(armed);
            }
        }
    }

    private void runQueued() {
        state.unqueue();
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

    @Override
    public void handler(ConnectionHandler next) {
        handler = next;
    }

    // Interest, from any thread

    @Override
    public void interest(int operations) {
        if (state.want(operations, loop.inLoop() && delivering)) {
            loop.post(node);
        }
    }

    @Override
    public boolean await(int operations, long timeoutNanos) throws IOException {
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
                checkOpen();
                if (!state.isAwaiting()) {
                    return true;
                }
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return !state.endWait();
                }
                LockSupport.parkNanos(this, left);
                if (Thread.interrupted()) {
                    state.endWait();
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("interrupted while waiting");
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
        checkOpen();
        int begun = state.beginWait(operations);
        if ((begun & ReadyState.QUEUE) != 0) {
            loop.post(node);
        }
        return (begun & INTEREST) != 0;
    }

    // Reads and writes, by the owner

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        int most = socket.readMax(length);
        if (!edgeTriggered) {
            return socket.read(target, offset, most);
        }
        beginIo(READ);
        int again = READ;
        try {
            int n = socket.read(target, offset, most);
            again = n < 0 || n == most || (n > 0 && peerEnded) ? READ : 0;
            return n;
        } finally {
            endIo(again);
        }
    }

    @Override
    public int write(byte[] source, int offset, int length) throws IOException {
        return write(source, offset, length, false);
    }

    @Override
    public int writeAhead(byte[] source, int offset, int length) throws IOException {
        return write(source, offset, length, true);
    }

    private int write(byte[] source, int offset, int length, boolean more) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        if (!edgeTriggered) {
            return socket.write(source, offset, length, more);
        }
        int most = socket.writeMax(length);
        beginIo(0);
        return finishWrite(source, offset, 0, most, true, more);
    }

    /// Writes what is left, and ends the I/O that has begun.
    ///
    /// @param from what was taken before
    /// @param mayHaveRoom false when the last try has found no room for what is left
    /// @return what was taken in all
    private int finishWrite(
            byte[] source, int offset, int from, int most, boolean mayHaveRoom, boolean more)
            throws IOException {
        boolean room = mayHaveRoom;
        int done = from;
        try {
            if (!room && done < most) {
                state.forget(WRITE);
            }
            while (done < most) {
                int n = socket.write(source, offset + done, most - done, more);
                if (n == 0 && !room) {
                    break;
                }
                done += n;
                if (room && done < most) {
                    // Forget first, then try once more: an event between the two is not lost.
                    room = false;
                    state.forget(WRITE);
                }
            }
            return done;
        } finally {
            endIo(done == most ? WRITE : 0);
        }
    }

    // Writes in a batch, by its loop

    /// Whether it can be written to in a batch of this loop.
    @SuppressWarnings("ReferenceEquality") // loops have identity
    boolean canJoin(EventLoop batchLoop) {
        return loop == batchLoop && edgeTriggered && !joined;
    }

    /// Begins a write whose first try is made by a batch. If it begins, [#endBatch] follows,
    /// whatever happens.
    ///
    /// @return false when the connection is closed
    boolean beginBatch() {
        return state.beginIo(0);
    }

    /// Hands the first try over.
    ///
    /// @return false when the batch has no room for it
    boolean put(BatchSender batch, byte[] source, int offset, int length) {
        return batch.put(socket, source, offset, length);
    }

    /// Goes on after the first try as after any, and ends the write.
    ///
    /// @param result what the batch says
    int endBatch(BatchSender batch, int result, byte[] source, int offset, int length)
            throws IOException {
        if (result >= 0) {
            return finishWrite(source, offset, result, length, false, false);
        }
        if (result == BatchSender.NOT_TRIED) {
            return finishWrite(source, offset, 0, length, true, false);
        }
        endIo(0);
        throw batch.failure(result);
    }

    @Override
    public long sendFile(FileChannel file, long position, long count) throws IOException {
        if (!edgeTriggered) {
            checkOpen();
            return socket.sendFile(file, position, count);
        }
        int most = socket.writeMax((int) Math.min(Integer.MAX_VALUE, count));
        beginIo(0);
        boolean room = true;
        boolean ended = false;
        int done = 0;
        try {
            while (done < most && !ended) {
                long n = socket.sendFile(file, position + done, most - done);
                if (n == 0 && !room) {
                    break;
                }
                ended = n < 0;
                done += (int) Math.max(n, 0);
                if (room && done < most && !ended) {
                    room = false;
                    state.forget(WRITE);
                }
            }
            return done == 0 && ended ? -1 : done;
        } finally {
            endIo(done == most || ended ? WRITE : 0);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        if (!edgeTriggered) {
            socket.shutdownOutput();
            return;
        }
        beginIo(0);
        try {
            socket.shutdownOutput();
        } finally {
            endIo(0);
        }
    }

    /// Begins I/O that must not overlap with the closing of the socket; what `operations` had
    /// remembered is forgotten, because the I/O is about to see it.
    private void beginIo(int operations) throws IOException {
        if (!state.beginIo(operations)) {
            throw new ClosedChannelException();
        }
    }

    /// Ends it; `operations` that may be possible still are remembered.
    private void endIo(int operations) {
        if (state.endIo(operations)) {
            socket.close(resetOnClose);
        }
    }

    /// Remembers readiness without delivering it, from any thread; the loop delivers soon. For
    /// sockets whose events do not come from a poller.
    public void signal(int operations) {
        if ((operations & ENDED) != 0) {
            peerEnded = true;
        }
        state.remember(operations & INTEREST);
        queue();
    }

    /// Throws when the connection is closed.
    private void checkOpen() throws IOException {
        if (isClosed()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public boolean hasHungUp() {
        if (!edgeTriggered || !state.beginIo(0)) {
            return isClosed();
        }
        try {
            return socket.hasHungUp();
        } finally {
            endIo(0);
        }
    }

    // The rest of the contract

    @Override
    public void execute(Runnable task) {
        loop.execute(guarded(task));
    }

    @Override
    public boolean atRoundEnd(Runnable step) {
        return loop.inLoop() && loop.atRoundEnd(guarded(step));
    }

    @Override
    public boolean compute(Runnable step) {
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
    public boolean runAsLeader(LeaderTask task) {
        return loop.inLoop() && loop.runAsLeader(task);
    }

    @Override
    public void deadline(long nanoTime) {
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
    public long id() {
        return id;
    }

    @Override
    public boolean blocking() {
        return false;
    }

    @Override
    public boolean inLoop() {
        return loop.inLoop();
    }

    @Override
    public boolean flush() throws IOException {
        return true;
    }

    @Override
    public Dialer dialer() {
        return loop.dialer();
    }

    @Override
    public SocketAddress local() {
        return ProxyHeader.serverOf(proxied, socket.local());
    }

    @Override
    public SocketAddress remote() {
        return ProxyHeader.clientOf(proxied, socket.remote());
    }

    @Override
    public boolean standsFor(ProxyHeader told) {
        if (listener != null && !listener.admits(told)) {
            return false;
        }
        proxied = told;
        return true;
    }

    @Override
    public @Nullable ProxyHeader proxied() {
        return proxied;
    }

    @Override
    public String toString() {
        return "connection " + id;
    }

    private void queue() {
        if (state.queue()) {
            loop.post(node);
        }
    }
}
