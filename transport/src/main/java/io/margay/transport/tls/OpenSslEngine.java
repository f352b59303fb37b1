package io.margay.transport.tls;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// One connection's TLS by OpenSSL, in server mode, between two memory BIOs. Thread-safe by one
/// lock, as the JDK's engines are. It must be [#release]d.
///
/// Each [#unwrap] hands one whole record to OpenSSL and takes all of its text, so that nothing is
/// left in the BIO and the caller's buffers alone tell whether there is more. Buffers must be of
/// the heap. The expensive steps of a handshake are delegated tasks.
final class OpenSslEngine extends SSLEngine {
    private static final int HEADER_BYTES = 5;
    private static final int HANDSHAKE = 22;
    private static final int TEXT = 23;
    private static final int TLS_MAJOR = 3;
    private static final int RECORD_TEXT_MAX = 16 * 1024;
    private static final int RECORD_BYTES_MAX = RECORD_TEXT_MAX + 2048;

    /// Room that a record takes beyond its text, at most.
    private static final int OVERHEAD_MAX = 256;

    /// A BIO that has held more is replaced when the engine is to give memory back.
    private static final int BIO_KEPT_BYTES = 4096;

    private static final int CTRL_CLEAR_MODE = 78;
    private static final int WANT_READ = 2;
    private static final int ZERO_RETURN = 6;

    /// Engines that have not been released.
    private static final LongAdder LIVE = new LongAdder();

    private static final SSLSession NO_SESSION = new OpenSslSession();

    /// Those that keep the memory for their records.
    private static final RecentEngines RECENT = new RecentEngines();

    /// Where a connection stands.
    private enum Phase {
        /// Nothing has begun.
        NEW,
        /// Records of the handshake come and go.
        HANDSHAKE,
        /// A step of the handshake waits for its task, or the task runs.
        COMPUTING,
        /// Text comes and goes.
        OPEN,
        /// It has failed; only an alert may be left to send.
        BROKEN,
        /// OpenSSL holds nothing any more.
        RELEASED
    }

    /// Kept as long as OpenSSL may ask it.
    @SuppressWarnings("unused")
    private final OpenSslEngines owner;

    private final boolean asksForCertificate;
    private Phase phase = Phase.NEW;
    private long ssl;
    private long in;
    private long out;

    /// Whether the steps of the handshake take well below a millisecond, as far as they are known.
    private boolean quick;

    private boolean inboundDone;
    private boolean outboundClosed;

    /// Whether OpenSSL may have left something to send in `out`.
    private boolean toSend;

    /// Whether `in` or `out` have held much.
    private boolean grown;

    /// Counted in [#RECENT], or not yet to be, because the handshake is under way.
    private volatile boolean recent = true;

    private @Nullable SSLException failure;
    private @Nullable OpenSslSession session;

    private static final class Calls {
        static final MemorySegment FREE = OpenSsl.ssl("SSL_free");
        static final MemorySegment ACCEPT = OpenSsl.ssl("SSL_set_accept_state");
        static final MemorySegment SET_BIO = OpenSsl.ssl("SSL_set_bio");
        static final MemorySegment HANDSHAKE = OpenSsl.ssl("SSL_do_handshake");
        static final MemorySegment GET_ERROR = OpenSsl.ssl("SSL_get_error");
        static final MemorySegment SHUTDOWN = OpenSsl.ssl("SSL_shutdown");
        static final MemorySegment CTRL = OpenSsl.ssl("SSL_ctrl");
        static final MemorySegment FREE_BUFFERS = OpenSsl.ssl("SSL_free_buffers");
        static final MemorySegment BIO_NEW = OpenSsl.crypto("BIO_new");
        static final MemorySegment BIO_MEMORY = OpenSsl.crypto("BIO_s_mem");
        static final MemorySegment BIO_PENDING = OpenSsl.crypto("BIO_ctrl_pending");

        private Calls() {}
    }

    /// @param owner answers what OpenSSL asks back
    /// @param context what its handshakes have in common
    /// @param asksForCertificate whether clients are asked for theirs
    /// @param signsQuickly whether a signature takes well below a millisecond
    OpenSslEngine(
            OpenSslEngines owner,
            OpenSslContext context,
            boolean asksForCertificate,
            boolean signsQuickly) {
        this.owner = owner;
        this.asksForCertificate = asksForCertificate;
        this.quick = signsQuickly && !asksForCertificate;
        ssl = context.connect();
        if (ssl == 0) {
            throw new IllegalStateException("OpenSSL has no memory: " + OpenSsl.error());
        }
        LIVE.increment();
        OpenSsl.call(Calls.ACCEPT, ssl);
        newBios();
    }

    private void newBios() {
        long kind = OpenSsl.call(Calls.BIO_MEMORY);
        in = OpenSsl.call(Calls.BIO_NEW, kind);
        out = OpenSsl.call(Calls.BIO_NEW, kind);
        if (in == 0 || out == 0) {
            throw new IllegalStateException("OpenSSL has no memory: " + OpenSsl.error());
        }
        OpenSsl.call(Calls.SET_BIO, ssl, in, out); // frees those before
        grown = false;
    }

    /// Frees what OpenSSL holds for this connection. Idempotent.
    synchronized void release() {
        if (phase != Phase.RELEASED) {
            OpenSsl.call(Calls.FREE, ssl);
            LIVE.decrement();
            ssl = 0;
            phase = Phase.RELEASED;
            inboundDone = true;
            outboundClosed = true;
            toSend = false;
        }
    }

    /// How many hold memory of OpenSSL now.
    static long live() {
        return LIVE.sum();
    }

    private void checkOpen() throws SSLException {
        if (phase == Phase.RELEASED) {
            throw new SSLException("the connection is closed");
        }
    }

    // The handshake

    @Override
    public synchronized void beginHandshake() throws SSLException {
        checkOpen();
        if (phase == Phase.NEW) {
            phase = Phase.HANDSHAKE;
        }
    }

    @Override
    public synchronized HandshakeStatus getHandshakeStatus() {
        return switch (phase) {
            case NEW, RELEASED -> HandshakeStatus.NOT_HANDSHAKING;
            case COMPUTING -> HandshakeStatus.NEED_TASK;
            case HANDSHAKE -> owes() ? HandshakeStatus.NEED_WRAP : HandshakeStatus.NEED_UNWRAP;
            case OPEN, BROKEN ->
                    owes() ? HandshakeStatus.NEED_WRAP : HandshakeStatus.NOT_HANDSHAKING;
        };
    }

    /// Whether the peer, or the caller, is to be told something.
    private boolean owes() {
        return failure != null || (toSend && pending() > 0);
    }

    private int pending() {
        return (int) OpenSsl.call(Calls.BIO_PENDING, out);
    }

    @Override
    public synchronized @Nullable Runnable getDelegatedTask() {
        return phase == Phase.COMPUTING ? this::compute : null;
    }

    /// Whether the delegated task takes well below a millisecond.
    synchronized boolean isQuick() {
        return quick;
    }

    private synchronized void compute() {
        if (phase == Phase.COMPUTING) {
            phase = Phase.HANDSHAKE;
            advance();
        }
    }

    /// Lets the handshake go on with what is in the BIO.
    private void advance() {
        OpenSsl.clearErrors();
        int result = (int) OpenSsl.call(Calls.HANDSHAKE, ssl);
        toSend = true;
        if (result != 1) {
            if ((int) OpenSsl.call(Calls.GET_ERROR, ssl, result) != WANT_READ) {
                phase = Phase.BROKEN;
                failure = new SSLHandshakeException(OpenSsl.error());
            }
            return;
        }
        OpenSsl.clearErrors();
        phase = Phase.OPEN;
        grown = true; // by certificates
        OpenSsl.call(Calls.CTRL, ssl, CTRL_CLEAR_MODE, OpenSslContext.MODE_RELEASE_BUFFERS, 0);
        recent = false;
        try {
            session = new OpenSslSession(ssl, asksForCertificate);
        } catch (SSLException e) {
            phase = Phase.BROKEN;
            failure = e;
        }
    }

    /// Whether nothing is left to be sent but session tickets (RFC 8446 §4.6.1), for which no
    /// client waits.
    synchronized boolean owesOnlyTickets() {
        return phase == Phase.OPEN
                && failure == null
                && session != null
                && session.getProtocol().equals("TLSv1.3");
    }

    // Input

    @Override
    public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] targets, int offset, int length)
            throws SSLException {
        SSLEngineResult result = receive(source, targets, offset, length);
        keepMemory();
        return result;
    }

    private synchronized SSLEngineResult receive(
            ByteBuffer source, ByteBuffer[] targets, int offset, int length) throws SSLException {
        if (inboundDone) {
            return new SSLEngineResult(Status.CLOSED, getHandshakeStatus(), 0, 0);
        }
        checkOpen();
        throwFailure();
        HandshakeStatus before = getHandshakeStatus();
        if (before == HandshakeStatus.NEED_TASK
                || (before == HandshakeStatus.NEED_WRAP && phase != Phase.OPEN)) {
            return new SSLEngineResult(Status.OK, before, 0, 0);
        }
        if (phase == Phase.BROKEN) {
            throw new SSLException("the connection has failed");
        }
        boolean open = phase == Phase.OPEN;
        int record = recordBytes(source);
        if (source.remaining() < record) {
            return new SSLEngineResult(Status.BUFFER_UNDERFLOW, before, 0, 0);
        }
        ByteBuffer target = target(targets, offset, length);
        int type = source.get(source.position());
        if (open && target.remaining() < record - HEADER_BYTES && type == TEXT) {
            return new SSLEngineResult(Status.BUFFER_OVERFLOW, before, 0, 0);
        }
        if (open && type == HANDSHAKE) {
            throw new SSLException("the client wants to renegotiate, which is refused");
        }
        if (!open && type == HANDSHAKE) {
            judge(source.slice(source.position() + HEADER_BYTES, record - HEADER_BYTES));
        }
        put(source, record);
        if (!open) {
            if (type == HANDSHAKE || asksForCertificate) {
                phase = Phase.COMPUTING;
            } else {
                advance();
                throwFailure();
            }
            return new SSLEngineResult(Status.OK, getHandshakeStatus(), record, 0);
        }
        return decrypt(target, record);
    }

    /// Looks at what a client asks for: once, and once more where it was asked to choose otherwise.
    /// What has once been slow stays so, whatever its later records look like.
    private void judge(ByteBuffer message) {
        if (!message.hasRemaining() || message.get(message.position()) == ClientHello.TYPE) {
            quick = quick && ClientHello.isQuick(message);
        }
    }

    /// The length of the record at the head of the source; a header's when that is not complete.
    private static int recordBytes(ByteBuffer source) throws SSLException {
        if (source.remaining() < HEADER_BYTES) {
            return HEADER_BYTES;
        }
        int at = source.position();
        int bytes = HEADER_BYTES + (source.getShort(at + 3) & 0xffff);
        if (source.get(at + 1) != TLS_MAJOR || bytes > RECORD_BYTES_MAX) {
            throw new SSLException("not a TLS record");
        }
        return bytes;
    }

    private static ByteBuffer target(ByteBuffer[] targets, int offset, int length) {
        if (length != 1) {
            throw new IllegalArgumentException("one buffer, not " + length);
        }
        return targets[offset];
    }

    @SuppressWarnings("ByteBufferBackingArray") // of the heap, as the class comment demands
    private void put(ByteBuffer source, int record) throws SSLException {
        int at = source.arrayOffset() + source.position();
        if (OpenSsl.bioWrite(in, source.array(), at, record) != record) {
            throw new SSLException("OpenSSL takes no input");
        }
        source.position(source.position() + record);
        grown |= record > BIO_KEPT_BYTES;
    }

    @SuppressWarnings("ByteBufferBackingArray")
    private SSLEngineResult decrypt(ByteBuffer target, int record) throws SSLException {
        int at = target.arrayOffset() + target.position();
        int n = OpenSsl.read(ssl, target.array(), at, target.remaining());
        if (n > 0) {
            target.position(target.position() + n);
            return new SSLEngineResult(Status.OK, HandshakeStatus.NOT_HANDSHAKING, record, n);
        }
        toSend = true;
        return switch ((int) OpenSsl.call(Calls.GET_ERROR, ssl, n)) {
            case WANT_READ -> new SSLEngineResult(Status.OK, getHandshakeStatus(), record, 0);
            case ZERO_RETURN -> {
                inboundDone = true;
                yield new SSLEngineResult(Status.CLOSED, getHandshakeStatus(), record, 0);
            }
            default -> {
                phase = Phase.BROKEN;
                throw new SSLException(OpenSsl.error());
            }
        };
    }

    private void throwFailure() throws SSLException {
        SSLException thrown = failure;
        if (thrown != null) {
            failure = null;
            throw thrown;
        }
    }

    // Output

    @Override
    public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer target)
            throws SSLException {
        SSLEngineResult result = send(sources, offset, length, target);
        keepMemory();
        return result;
    }

    private synchronized SSLEngineResult send(
            ByteBuffer[] sources, int offset, int length, ByteBuffer target) throws SSLException {
        if (phase == Phase.RELEASED) {
            return new SSLEngineResult(Status.CLOSED, HandshakeStatus.NOT_HANDSHAKING, 0, 0);
        }
        throwFailure();
        if (phase == Phase.COMPUTING) {
            return new SSLEngineResult(Status.OK, HandshakeStatus.NEED_TASK, 0, 0);
        }
        ByteBuffer source = target(sources, offset, length);
        int consumed = 0;
        if (phase == Phase.OPEN && !outboundClosed && source.hasRemaining()) {
            consumed = encrypt(source, target);
        }
        int produced = take(target);
        boolean over = outboundClosed && !toSend;
        return new SSLEngineResult(
                over ? Status.CLOSED : Status.OK, getHandshakeStatus(), consumed, produced);
    }

    @SuppressWarnings("ByteBufferBackingArray")
    private int encrypt(ByteBuffer source, ByteBuffer target) throws SSLException {
        int held = toSend ? pending() : 0;
        int room = Math.min(RECORD_TEXT_MAX, target.remaining() - held - OVERHEAD_MAX);
        int text = Math.min(room, source.remaining());
        if (text <= 0) {
            return 0;
        }
        int at = source.arrayOffset() + source.position();
        int n = OpenSsl.write(ssl, source.array(), at, text);
        if (n <= 0) {
            phase = Phase.BROKEN;
            toSend = true;
            throw new SSLException(OpenSsl.error());
        }
        source.position(source.position() + n);
        toSend = true;
        grown |= n > BIO_KEPT_BYTES;
        return n;
    }

    @SuppressWarnings("ByteBufferBackingArray")
    private int take(ByteBuffer target) {
        if (!toSend || !target.hasRemaining()) {
            return 0;
        }
        int at = target.arrayOffset() + target.position();
        int room = target.remaining();
        int n = Math.max(0, OpenSsl.bioRead(out, target.array(), at, room));
        target.position(target.position() + n);
        toSend = n == room && pending() > 0;
        return n;
    }

    // Memory between records

    /// Keeps the memory that the work has taken; for it another engine gives its own back. Without
    /// the lock, since that engine has one. Where two threads meet here, the engine is counted
    /// twice, and gives back twice.
    private void keepMemory() {
        if (!recent) {
            recent = true;
            OpenSslEngine oldest = RECENT.add(this);
            if (oldest != null) {
                oldest.giveMemoryBack();
            }
        }
    }

    private synchronized void giveMemoryBack() {
        recent = false;
        if (phase != Phase.RELEASED) {
            OpenSsl.call(Calls.FREE_BUFFERS, ssl);
            if (grown && !toSend) {
                newBios();
            }
        }
    }

    // The ends

    @Override
    public synchronized void closeInbound() {
        inboundDone = true;
    }

    @Override
    public synchronized boolean isInboundDone() {
        return inboundDone;
    }

    @Override
    public synchronized void closeOutbound() {
        if (outboundClosed) {
            return;
        }
        outboundClosed = true;
        failure = null;
        if (phase == Phase.OPEN) {
            OpenSsl.call(Calls.SHUTDOWN, ssl);
            OpenSsl.clearErrors();
            toSend = true;
        }
    }

    @Override
    public synchronized boolean isOutboundDone() {
        return outboundClosed && !(toSend && pending() > 0);
    }

    // What was agreed on

    @Override
    public synchronized SSLSession getSession() {
        return Objects.requireNonNullElse(session, NO_SESSION);
    }

    @Override
    public @Nullable SSLSession getHandshakeSession() {
        return null;
    }

    @Override
    public synchronized @Nullable String getApplicationProtocol() {
        return session == null ? null : session.applicationProtocol();
    }

    // What the context has decided

    private static UnsupportedOperationException decided() {
        return new UnsupportedOperationException("set up by the listener's configuration");
    }

    @Override
    public String[] getSupportedCipherSuites() {
        throw decided();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        throw decided();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        throw decided();
    }

    @Override
    public String[] getSupportedProtocols() {
        throw decided();
    }

    @Override
    public String[] getEnabledProtocols() {
        throw decided();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        throw decided();
    }

    @Override
    public void setUseClientMode(boolean mode) {
        throw decided();
    }

    @Override
    public boolean getUseClientMode() {
        return false;
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        throw decided();
    }

    @Override
    public boolean getNeedClientAuth() {
        return asksForCertificate;
    }

    @Override
    public void setWantClientAuth(boolean want) {
        throw decided();
    }

    @Override
    public boolean getWantClientAuth() {
        return asksForCertificate;
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        throw decided();
    }

    @Override
    public boolean getEnableSessionCreation() {
        return true;
    }
}
