package io.margay.transport.blocking;

import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.ConnectionIds;
import io.margay.transport.Dialer;
import io.margay.transport.ProxyHeader;
import io.margay.transport.loop.DeadlineWheel;
import io.margay.transport.unix.SocketFile;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A blocking channel whose virtual thread is its loop.
///
/// A read that waits on a socket can run nothing else and cannot be woken without closing the
/// socket. So "the loop thread" is not a certain thread here but whoever holds `token`:
///
/// - The connection's own virtual thread holds it while it delivers events.
/// - Between events it waits for input without the token, for at most [#EARLY_BYTES] bytes that the
///   next read gets first. Tasks and deadlines that come then run on a helper, a virtual thread of
///   a moment, which takes the token.
/// - A read or write that waits inside an event lets the token go while it waits, so that a helper
///   can call `onDeadline` (tasks wait for the end of the event); the handler's code still never
///   runs on two threads at once.
///
/// Owned as [Connection] says; the fields without a word are written under `token`.
final class BlockingConnection implements Connection {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    /// Bytes read ahead while waiting for an event: a common request head, and little enough for 10
    /// 000 idle connections.
    private static final int EARLY_BYTES = 512;

    /// What is copied of a file to wait for room, bytes.
    private static final int PIECE_BYTES = 8 * 1024;

    /// What the connection's own thread is doing.
    private enum Phase {
        DELIVERING,
        READING,
        PARKED
    }

    final DeadlineWheel.Entry timer = new DeadlineWheel.Entry(this::deadlineDue);

    private final long id = ConnectionIds.next();
    private final SocketChannel channel;
    private final BlockingListener listener;
    private final BlockingTransport transport;
    private final SocketAddress local;
    private final SocketAddress remote;
    private final boolean unix;

    private final ReentrantLock token = new ReentrantLock();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean helperStarted = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile int interest;
    private volatile @Nullable ProxyHeader proxied;
    private volatile Phase phase = Phase.DELIVERING;
    private volatile boolean deadlineDue;
    private volatile boolean ended;
    private volatile @Nullable Thread thread;
    private @Nullable ConnectionHandler handler;

    /// Events under way: two where a helper works while the connection's own thread waits in one.
    private int events;

    /// Held while the channel is read; guards the fields below.
    private final ReentrantLock readLock = new ReentrantLock();

    private final ByteBuffer early = ByteBuffer.allocate(EARLY_BYTES).limit(0);
    private boolean earlyEnd;
    private @Nullable IOException earlyFailure;

    BlockingConnection(
            BlockingTransport transport, BlockingListener listener, SocketChannel channel)
            throws IOException {
        this.transport = transport;
        this.listener = listener;
        this.channel = channel;
        SocketAddress own = channel.getLocalAddress();
        this.unix = SocketFile.isUnix(own);
        this.local = unix ? SocketFile.LOCAL : own;
        this.remote = unix ? SocketFile.LOCAL : channel.getRemoteAddress();
    }

    /// Starts the connection's own virtual thread.
    void start(ConnectionHandler.Factory handlers) {
        Thread.ofVirtual().name("margay-connection-" + id).start(() -> run(handlers));
    }

    /// The life of the connection.
    private void run(ConnectionHandler.Factory handlers) {
        thread = Thread.currentThread();
        token.lock();
        try {
            event(() -> handler = handlers.accept(this));
            while (!closed.get()) {
                phase = Phase.DELIVERING;
                runTasks();
                if (closed.get()) {
                    break;
                }
                if ((interest & WRITE) != 0) {
                    event(handler()::onWritable);
                } else if ((interest & READ) != 0) {
                    if (awaitInput()) {
                        event(handler()::onReadable);
                    }
                } else {
                    park();
                }
            }
            end();
        } finally {
            token.unlock();
        }
    }

    private void end() {
        phase = Phase.DELIVERING;
        transport.reaper().cancel(timer);
        closeChannel();
        event(() -> {
            ConnectionHandler h = handler;
            if (h != null) {
                h.onClosed();
            }
        });
        listener.released(this);
        ended = true;
        runTasks();
    }

    private ConnectionHandler handler() {
        return Objects.requireNonNull(handler, "handler");
    }

    private void event(Runnable call) {
        events++;
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            events--;
        }
    }

    private void fail(Throwable failure) {
        transport.logFailure(id, failure);
        close();
    }

    /// Waits for input, the end of input or a failure, without the token.
    ///
    /// @return false when something else is to be done first
    private boolean awaitInput() {
        phase = Phase.READING;
        if (haveTasks() || deadlineDue) {
            return false;
        }
        token.unlock();
        try {
            readLock.lock();
            try {
                readAhead();
            } finally {
                readLock.unlock();
            }
        } finally {
            token.lock();
            phase = Phase.DELIVERING;
        }
        return !closed.get() && (interest & READ) != 0;
    }

    /// Whether there are tasks to be run here. Those that come while a helper is within an event
    /// are the helper's, which may need the token to come to its end.
    private boolean haveTasks() {
        return events == 0 && !tasks.isEmpty();
    }

    private void readAhead() {
        if (early.hasRemaining() || earlyEnd || earlyFailure != null) {
            return;
        }
        early.clear();
        try {
            earlyEnd = channel.read(early) < 0;
        } catch (IOException e) {
            earlyFailure = e;
        } finally {
            early.flip();
        }
    }

    private void park() {
        phase = Phase.PARKED;
        if (!haveTasks() && !deadlineDue && interest == 0 && !closed.get()) {
            token.unlock();
            try {
                LockSupport.park(this);
            } finally {
                token.lock();
            }
        }
    }

    /// Runs what waits, with the token: the deadline, tasks, and what a helper must deliver because
    /// the connection's own thread waits for input.
    private void runTasks() {
        if (deadlineDue && !closed.get()) {
            deadlineDue = false;
            if (handler != null) {
                event(handler::onDeadline);
            }
        }
        if (events > 0) {
            return;
        }
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            event(task);
        }
    }

    /// Has pending work done: by the connection's own thread, or by a helper where that one waits
    /// for the socket.
    private void kick() {
        if (ended) {
            helpSoon();
            return;
        }
        if (phase == Phase.PARKED) {
            LockSupport.unpark(thread);
        } else if (phase == Phase.READING) {
            helpSoon();
        }
    }

    private void helpSoon() {
        if (helperStarted.compareAndSet(false, true)) {
            Thread.ofVirtual().name("margay-helper-" + id).start(this::help);
        }
    }

    private void help() {
        token.lock();
        try {
            helperStarted.set(false);
            runTasks();
            while (phase == Phase.READING
                    && !closed.get()
                    && events == 0
                    && (interest & WRITE) != 0
                    && handler != null) {
                event(handler::onWritable);
                runTasks();
            }
        } finally {
            token.unlock();
        }
    }

    private void deadlineDue() {
        deadlineDue = true;
        if (phase == Phase.PARKED) {
            LockSupport.unpark(thread);
        } else {
            // In an event the token is free only while a read or write waits.
            helpSoon();
        }
    }

    // The contract

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        kick();
    }

    @Override
    public void handler(ConnectionHandler next) {
        handler = next;
    }

    @Override
    public void interest(int operations) {
        interest = operations;
        if (phase == Phase.PARKED) {
            LockSupport.unpark(thread);
        } else if ((operations & WRITE) != 0 && phase == Phase.READING) {
            helpSoon();
        }
    }

    @Override
    public void deadline(long nanoTime) {
        deadlineDue = false;
        if (timer.move(nanoTime)) {
            transport.reaper().schedule(timer);
        }
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        int held = letGo();
        try {
            readLock.lock();
            try {
                int n = takeEarly(target, offset, length);
                return n != 0 ? n : channel.read(ByteBuffer.wrap(target, offset, length));
            } finally {
                readLock.unlock();
            }
        } finally {
            takeBack(held);
        }
    }

    /// What was read ahead; 0 when there is nothing. Under `readLock`.
    private int takeEarly(byte[] target, int offset, int length) throws IOException {
        if (early.hasRemaining()) {
            int n = Math.min(length, early.remaining());
            early.get(target, offset, n);
            return n;
        }
        if (earlyFailure != null) {
            throw new IOException(earlyFailure.getMessage(), earlyFailure);
        }
        return earlyEnd ? -1 : 0;
    }

    @Override
    public int write(byte[] source, int offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(source, offset, length);
        int held = letGo();
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            return length;
        } finally {
            takeBack(held);
        }
    }

    @Override
    public boolean flush() {
        return true;
    }

    @Override
    public long sendFile(FileChannel file, long position, long count) throws IOException {
        int held = letGo();
        try {
            long n = file.transferTo(position, count, channel);
            if (n > 0 || count == 0) {
                return n;
            }
        } finally {
            takeBack(held);
        }
        return copyPiece(file, position, count);
    }

    /// Sends a little of a file with a write, which waits: `transferTo` does not on a virtual
    /// thread, for which the JDK has made the socket a non-blocking one.
    private long copyPiece(FileChannel file, long position, long count) throws IOException {
        byte[] piece = new byte[(int) Math.min(PIECE_BYTES, count)];
        int n = file.read(ByteBuffer.wrap(piece), position);
        return n < 0 ? -1 : write(piece, 0, n);
    }

    /// Lets the token go for a wait inside an event.
    ///
    /// @return how many holds of it [#takeBack] has to restore
    private int letGo() {
        int held = token.getHoldCount();
        for (int i = 0; i < held; i++) {
            token.unlock();
        }
        return held;
    }

    private void takeBack(int held) {
        for (int i = 0; i < held; i++) {
            token.lock();
        }
    }

    @Override
    public boolean await(int operations, long timeoutNanos) throws IOException {
        if ((operations & WRITE) != 0) {
            return true; // a write waits by itself
        }
        int held = letGo();
        try {
            if (operations == 0) {
                LockSupport.parkNanos(this, timeoutNanos);
                return false;
            }
            if (!readLock.tryLock(timeoutNanos, TimeUnit.NANOSECONDS)) {
                return false;
            }
            try {
                if (early.hasRemaining() || earlyEnd || earlyFailure != null) {
                    return true;
                }
                if (!unix) {
                    return readAheadFor(timeoutNanos);
                }
            } finally {
                readLock.unlock();
            }
            return readAheadBeside(timeoutNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new java.io.InterruptedIOException("interrupted while waiting");
        } finally {
            takeBack(held);
        }
    }

    private boolean readAheadFor(long timeoutNanos) throws IOException {
        long millis = Math.clamp(TimeUnit.NANOSECONDS.toMillis(timeoutNanos), 1, Integer.MAX_VALUE);
        channel.socket().setSoTimeout((int) millis);
        early.clear();
        int n = 0;
        try {
            n = channel.socket().getInputStream().read(early.array());
            earlyEnd = n < 0;
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } finally {
            early.limit(Math.max(n, 0));
        }
    }

    /// A Unix socket of the JDK has no timeout: another thread waits for input, and goes on when
    /// the time has run out. Reads get what comes from it, as from [#awaitInput].
    private boolean readAheadBeside(long timeoutNanos) throws InterruptedException {
        Thread reader =
                Thread.ofVirtual()
                        .name("margay-ahead-" + id)
                        .start(() -> {
                            readLock.lock();
                            try {
                                readAhead();
                            } finally {
                                readLock.unlock();
                            }
                        });
        return reader.join(Duration.ofNanos(timeoutNanos));
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            closeChannel();
            LockSupport.unpark(thread);
        }
    }

    private void closeChannel() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing failed", e);
        }
    }

    @Override
    public void reset() {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (ClosedChannelException e) {
            return;
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "no reset possible", e);
        }
        close();
    }

    @Override
    public boolean isClosed() {
        return closed.get();
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public boolean blocking() {
        return true;
    }

    @Override
    public boolean inLoop() {
        return token.isHeldByCurrentThread();
    }

    @Override
    public SocketAddress local() {
        return ProxyHeader.serverOf(proxied, local);
    }

    @Override
    public SocketAddress remote() {
        return ProxyHeader.clientOf(proxied, remote);
    }

    /// The other end itself.
    SocketAddress peer() {
        return remote;
    }

    @Override
    public boolean standsFor(ProxyHeader told) {
        if (!listener.admits(told)) {
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
    public Dialer dialer() {
        return transport.dialer(id);
    }
}
