package io.margay.transport.tls;

import io.margay.transport.BufferPool;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.Dialer;
import io.margay.transport.LeaderTask;
import io.margay.transport.ProxyHeader;
import io.margay.transport.TlsSession;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// A TLS connection after its handshake, over a raw one. Owned as [Connection] says; `reading` and
/// `writing` are set while the owner works on the records, so that closing on the loop thread keeps
/// off them.
///
/// On a blocking connection these are two flags: while one thread waits in a read, another may
/// write, because a read touches only received records and a write only those to be sent; the
/// engine has a lock of its own. What a read has to send (the answer to a key update) it leaves to
/// a writer that is at work. On others they are one, since nothing waits in a read there.
///
/// Decrypted or undecrypted bytes that are held here count as input: they bring `onReadable` again
/// although the socket has nothing more. Records that could not be sent go out as soon as the
/// handler wants any event; while it wants none, [#flush] is the owner's.
final class TlsConnection implements Connection {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");
    private static final int TEXT_BYTES_MAX = 16 * 1024;

    /// Steps without progress that a read accepts.
    private static final int IDLE_MAX = 8;

    /// How long a writer waits before it looks again whether the reader has sent its answer.
    private static final long ANSWER_WAIT_NANOS = 50_000;

    /// How long a close waits for the peer to take what was written before.
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Connection raw;
    private final SSLEngine engine;
    private final TlsSession session;
    private final TlsRecords records;
    private final BufferPool<ByteBuffer> buffers;
    private final boolean tls12;
    private final AtomicBoolean writing = new AtomicBoolean();
    private final AtomicBoolean reading;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicBoolean queued = new AtomicBoolean();
    private @Nullable ConnectionHandler handler;

    /// Decrypted bytes that did not fit into the caller's array; null when there are none.
    private @Nullable ByteBuffer text;

    private boolean inputEnded;
    private boolean outputShut;
    private volatile int interest;

    /// Whether a read may give something without new input of the socket.
    private volatile boolean pendingInput;

    private volatile boolean pendingOutput;

    /// On the loop thread, inside a call of the handler.
    private boolean delivering;

    TlsConnection(
            Connection raw,
            SSLEngine engine,
            TlsSession session,
            TlsRecords records,
            BufferPool<ByteBuffer> buffers) {
        this.raw = raw;
        this.engine = engine;
        this.session = session;
        this.records = records;
        this.buffers = buffers;
        this.reading = raw.blocking() ? new AtomicBoolean() : writing;
        this.tls12 = !session.protocol().equals("TLSv1.3");
        this.pendingInput = records.hasInput();
    }

    // Events of the raw connection, on its loop thread

    /// Takes the raw connection over.
    void start(ConnectionHandler.Factory handlers) {
        raw.handler(new RawEvents());
        delivering = true;
        try {
            handler = handlers.accept(this);
        } finally {
            delivering = false;
        }
        settle();
    }

    /// Passes the raw connection's events on, once the handshake is over.
    private final class RawEvents implements ConnectionHandler {
        @Override
        public void onReadable() {
            if (!closed.get() && (interest & READ) != 0) {
                deliver(READ);
            }
        }

        @Override
        public void onWritable() {
            rawWritable();
        }

        @Override
        public void onDeadline() {
            if (closed.get()) {
                raw.reset(); // it did not take our last bytes
            } else {
                handler().onDeadline();
            }
        }

        @Override
        public void onClosed() {
            closed.set(true);
            try {
                if (handler != null) {
                    handler.onClosed();
                }
            } finally {
                TlsEngines.release(engine);
            }
        }
    }

    private void rawWritable() {
        if (pendingOutput && !flushOnLoop()) {
            return;
        }
        if (closed.get()) {
            raw.close();
        } else if ((interest & WRITE) != 0) {
            deliver(WRITE);
        } else {
            raw.interest(rawInterest(interest));
        }
    }

    private void deliver(int operation) {
        delivering = true;
        try {
            if (operation == READ) {
                handler().onReadable();
            } else {
                handler().onWritable();
            }
        } finally {
            delivering = false;
        }
        settle();
    }

    /// After a call of the handler: more of the input that is held here, soon.
    private void settle() {
        if (!closed.get() && pendingInput && (interest & READ) != 0) {
            queueDelivery();
        }
    }

    private void queueDelivery() {
        if (queued.compareAndSet(false, true)) {
            raw.execute(this::deliverQueued);
        }
    }

    private void deliverQueued() {
        queued.set(false);
        if (!closed.get() && !raw.isClosed() && pendingInput && (interest & READ) != 0) {
            deliver(READ);
        }
    }

    private boolean flushOnLoop() {
        if (!writing.compareAndSet(false, true)) {
            return false; // the owner works on it
        }
        try {
            return flushRecords();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "connection " + raw.id() + ": " + e);
            raw.close();
            return false;
        } finally {
            writing.set(false);
        }
    }

    private ConnectionHandler handler() {
        return Objects.requireNonNull(handler, "handler");
    }

    // The contract

    @Override
    public void handler(ConnectionHandler next) {
        handler = next;
    }

    @Override
    public void interest(int operations) {
        interest = operations;
        if (closed.get()) {
            return;
        }
        raw.interest(rawInterest(operations));
        if ((operations & READ) != 0 && pendingInput && !(raw.inLoop() && delivering)) {
            queueDelivery();
        }
    }

    private int rawInterest(int operations) {
        return operations != 0 && pendingOutput ? operations | WRITE : operations;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        enter(reading, false);
        try {
            int n = text != null ? takeText(target, offset, length) : 0;
            if (n == 0) {
                n = inputEnded ? -1 : decrypt(target, offset, length);
            }
            return n;
        } finally {
            reading.set(false);
        }
    }

    private int takeText(byte[] target, int offset, int length) {
        ByteBuffer from = Objects.requireNonNull(text);
        int n = Math.min(length, from.remaining());
        from.get(target, offset, n);
        if (!from.hasRemaining()) {
            text = null;
            buffers.give(from);
        }
        pendingInput = text != null || records.hasInput();
        return n;
    }

    private int decrypt(byte[] target, int offset, int length) throws IOException {
        ByteBuffer into = ByteBuffer.wrap(target, offset, length);
        ByteBuffer aside = null;
        boolean needMore = !records.hasInput();
        int idle = 0;
        try {
            for (; ; ) {
                if (needMore) {
                    int n = records.fill();
                    if (n <= 0) {
                        inputEnded = n < 0;
                        pendingInput = inputEnded;
                        return n;
                    }
                }
                SSLEngineResult result = records.unwrap(engine, into);
                needMore = result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW;
                switch (result.getStatus()) {
                    case OK -> {
                        afterHandshake(result);
                        if (result.bytesProduced() > 0) {
                            if (aside == null) {
                                pendingInput = records.hasInput();
                                return result.bytesProduced();
                            }
                            text = aside.flip();
                            aside = null;
                            return takeText(target, offset, length);
                        }
                        if (result.bytesConsumed() == 0 && ++idle > IDLE_MAX) {
                            throw new SSLException("TLS makes no progress: " + result);
                        }
                        needMore = !records.hasInput();
                    }
                    case BUFFER_UNDERFLOW -> {}
                    case BUFFER_OVERFLOW -> {
                        // The record is larger than the caller's room (or will be, once complete).
                        if (aside != null) {
                            throw new SSLException("TLS record too long");
                        }
                        aside = buffers.take().clear();
                        into = aside;
                    }
                    case CLOSED -> {
                        inputEnded = true;
                        pendingInput = true;
                        return -1;
                    }
                }
            }
        } finally {
            if (aside != null) {
                buffers.give(aside);
            }
        }
    }

    /// Key updates of TLS 1.3 are answered; a renegotiation of TLS 1.2 is refused.
    private void afterHandshake(SSLEngineResult result) throws IOException {
        HandshakeStatus status = result.getHandshakeStatus();
        if (status == HandshakeStatus.NOT_HANDSHAKING
                || status == HandshakeStatus.FINISHED
                || engine.isInboundDone()) {
            return;
        }
        if (tls12) {
            throw new SSLException("the client wants to renegotiate, which is refused");
        }
        if (status == HandshakeStatus.NEED_TASK) {
            for (Runnable task = engine.getDelegatedTask();
                    task != null;
                    task = engine.getDelegatedTask()) {
                task.run();
            }
        }
        if (!raw.blocking()) {
            answerHandshake();
        } else if (writing.compareAndSet(false, true)) {
            try {
                answerHandshake();
            } finally {
                writing.set(false);
            }
        }
    }

    /// With records unsent the answer waits for the next wrap, so that a flood costs no memory.
    private void answerHandshake() throws IOException {
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && flushRecords()) {
            records.wrapNothing(engine);
            flushRecords();
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

    private int write(byte[] source, int offset, int length, boolean ahead) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        enter(writing, raw.blocking());
        try {
            int taken = 0;
            while (taken < length && flushRecords(true)) {
                taken += encrypt(ByteBuffer.wrap(source, offset + taken, length - taken));
            }
            flushRecords(ahead);
            return taken;
        } finally {
            writing.set(false);
        }
    }

    private int encrypt(ByteBuffer source) throws IOException {
        SSLEngineResult result = records.wrap(engine, source);
        pendingOutput = records.hasOutput();
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new SSLException("the output has been shut down");
        }
        if (result.getStatus() != SSLEngineResult.Status.OK
                || (result.bytesConsumed() == 0 && result.bytesProduced() == 0)) {
            throw new SSLException("cannot encrypt: " + result);
        }
        return result.bytesConsumed();
    }

    @Override
    public boolean flush() throws IOException {
        if (!pendingOutput) {
            return true;
        }
        enter(writing, raw.blocking());
        try {
            return flushRecords();
        } finally {
            writing.set(false);
        }
    }

    private boolean flushRecords() throws IOException {
        return flushRecords(false);
    }

    /// @param ahead whether another record follows at once
    private boolean flushRecords(boolean ahead) throws IOException {
        boolean all = records.flush(ahead);
        pendingOutput = !all;
        if (all && outputShut) {
            outputShut = false;
            raw.shutdownOutput();
        }
        return all;
    }

    @Override
    public long sendFile(FileChannel file, long position, long count) throws IOException {
        enter(writing, raw.blocking());
        ByteBuffer chunk = buffers.take();
        try {
            long sent = 0;
            while (sent < count && flushRecords(true)) {
                chunk.clear().limit((int) Math.min(TEXT_BYTES_MAX, count - sent));
                int n = file.read(chunk, position + sent);
                if (n <= 0) {
                    return sent == 0 ? -1 : sent;
                }
                chunk.flip();
                sent += encrypt(chunk);
            }
            flushRecords();
            return sent;
        } finally {
            buffers.give(chunk);
            writing.set(false);
        }
    }

    @Override
    public boolean await(int operations, long timeoutNanos) throws IOException {
        if ((operations & READ) != 0 && pendingInput) {
            return true;
        }
        boolean held = pendingOutput;
        boolean possible = raw.await(held ? operations | WRITE : operations, timeoutNanos);
        if (possible && held) {
            flush();
        }
        return possible;
    }

    @Override
    public void shutdownOutput() throws IOException {
        enter(writing, raw.blocking());
        try {
            engine.closeOutbound();
            if (flushRecords()) {
                records.wrapNothing(engine);
            }
            outputShut = true;
            flushRecords();
        } finally {
            writing.set(false);
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            if (raw.inLoop()) {
                closeOnLoop();
            } else {
                raw.execute(this::closeOnLoop);
            }
        }
    }

    /// Sends close_notify, if nobody is at work on the records to send, and closes the raw
    /// connection once it has taken everything, at the latest after two seconds.
    private void closeOnLoop() {
        boolean sent = true;
        if (!raw.isClosed() && writing.compareAndSet(false, true)) {
            raw.deadline(System.nanoTime() + CLOSE_NANOS);
            try {
                engine.closeOutbound();
                if (flushRecords() && !engine.isOutboundDone()) {
                    records.wrapNothing(engine);
                }
                sent = flushRecords();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, () -> "connection " + raw.id() + ": no close_notify: " + e);
            } finally {
                writing.set(false);
            }
        }
        if (sent) {
            raw.close();
        } else {
            raw.interest(WRITE);
        }
    }

    @Override
    public void reset() {
        closed.set(true);
        raw.reset();
    }

    @Override
    public boolean isClosed() {
        return closed.get() || raw.isClosed();
    }

    /// Claims a direction for the caller's thread. On a blocking connection a writer waits while
    /// another thread writes (a task, or the reader that answers a key update), as a write waits:
    /// so that the other can come to its end.
    private void enter(AtomicBoolean busy, boolean wait) throws IOException {
        while (isClosed() || !busy.compareAndSet(false, true)) {
            if (isClosed()) {
                throw new ClosedChannelException();
            }
            if (!wait) {
                throw new IllegalStateException("connection used by two threads at a time");
            }
            boolean _ = raw.await(0, ANSWER_WAIT_NANOS);
        }
    }

    @Override
    public boolean hasHungUp() {
        return closed.get() || raw.hasHungUp();
    }

    @Override
    public Dialer dialer() {
        return raw.dialer();
    }

    @Override
    public @Nullable TlsSession tls() {
        return session;
    }

    @Override
    public long id() {
        return raw.id();
    }

    @Override
    public boolean blocking() {
        return raw.blocking();
    }

    @Override
    public void execute(Runnable task) {
        raw.execute(task);
    }

    @Override
    public boolean runAsLeader(LeaderTask task) {
        return raw.runAsLeader(task);
    }

    @Override
    public boolean atRoundEnd(Runnable step) {
        return raw.atRoundEnd(step);
    }

    @Override
    public boolean inLoop() {
        return raw.inLoop();
    }

    @Override
    public void deadline(long nanoTime) {
        if (!closed.get()) {
            raw.deadline(nanoTime);
        }
    }

    @Override
    public SocketAddress local() {
        return raw.local();
    }

    @Override
    public SocketAddress remote() {
        return raw.remote();
    }

    @Override
    public @Nullable ProxyHeader proxied() {
        return raw.proxied();
    }
}
