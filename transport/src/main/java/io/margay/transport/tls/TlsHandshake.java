package io.margay.transport.tls;

import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.TlsSession;
import io.margay.transport.TlsSessionBuilder;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketTimeoutException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// The handler of a raw connection until its TLS handshake is over; then a [TlsConnection] takes it
/// over. Confined to the connection's loop thread; the steps that compute for long run on the
/// layer's threads meanwhile, and then nothing else happens here.
final class TlsHandshake implements ConnectionHandler {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    /// Content type of handshake records (RFC 8446 §5.1).
    private static final int HANDSHAKE_RECORD = 22;

    private final Connection raw;
    private final TlsLayer layer;

    /// Of a connection that was accepted; null when it was dialled.
    private final @Nullable TlsContext context;

    /// Of a connection that was dialled.
    private final Supplier<SSLEngine> engines;

    private final ConnectionHandler.Factory handlers;
    private final Consumer<IOException> failed;

    /// Of the listener; null when the connection was dialled.
    private final TlsLayer.@Nullable HandshakeMeter meter;

    private final long beganNanos = System.nanoTime();
    private final TlsRecords records;
    private @Nullable SSLEngine engine;

    /// What the engine was made with, of a connection that was accepted.
    private @Nullable HandshakeSettings settings;

    private boolean computing;
    private boolean over;

    /// Whether the peer has sent anything.
    private boolean begun;

    private TlsHandshake(
            Connection raw,
            TlsLayer layer,
            @Nullable TlsContext context,
            Supplier<SSLEngine> engines,
            ConnectionHandler.Factory handlers,
            Consumer<IOException> failed,
            TlsLayer.@Nullable HandshakeMeter meter,
            Duration timeout) {
        this.raw = raw;
        this.layer = layer;
        this.context = context;
        this.engines = engines;
        this.handlers = handlers;
        this.failed = failed;
        this.meter = meter;
        this.records = new TlsRecords(raw, layer.buffers());
        raw.deadline(System.nanoTime() + timeout.toNanos());
        raw.interest(Connection.READ);
    }

    /// For a connection that was accepted.
    static TlsHandshake accepting(
            Connection raw,
            TlsLayer layer,
            TlsContext context,
            ConnectionHandler.Factory handlers,
            TlsLayer.HandshakeMeter meter,
            Duration timeout) {
        return new TlsHandshake(
                raw, layer, context, TlsHandshake::none, handlers, e -> {}, meter, timeout);
    }

    private static SSLEngine none() {
        throw new IllegalStateException("the engine is the listener's");
    }

    /// For a connection that was dialled.
    ///
    /// @param failed told once when the handshake fails, by an `SSLException`
    static TlsHandshake dialling(
            Connection raw,
            TlsLayer layer,
            Supplier<SSLEngine> engines,
            ConnectionHandler.Factory handlers,
            Consumer<IOException> failed,
            Duration timeout) {
        TlsHandshake made =
                new TlsHandshake(raw, layer, null, engines, handlers, failed, null, timeout);
        raw.execute(made::go);
        return made;
    }

    @Override
    public void onReadable() {
        go();
    }

    @Override
    public void onWritable() {
        go();
    }

    @Override
    public void onDeadline() {
        LOG.log(Level.DEBUG, () -> "TLS handshake of " + raw.remote() + " took too long");
        tellFailure(new SocketTimeoutException("the TLS handshake took too long"));
        raw.close();
    }

    @Override
    public void onClosed() {
        tellFailure(new EOFException("the connection ended during the TLS handshake"));
        if (engine != null) {
            TlsEngines.release(engine);
        }
    }

    private void tellFailure(IOException failure) {
        if (!over) {
            over = true;
            if (meter != null && begun) {
                meter.failed();
            }
            failed.accept(
                    failure instanceof SSLException
                            ? failure
                            : new SSLException(failure.getMessage(), failure));
        }
    }

    private void go() {
        if (computing || raw.isClosed()) {
            return;
        }
        SSLEngine current = engine;
        try {
            if (current == null) {
                current = begin();
                engine = current;
            }
            if (current != null) {
                step(current);
            }
        } catch (IOException e) {
            fail(current, e);
        }
    }

    /// Makes the engine; of a connection that was accepted once it is known for which host, if it
    /// may be TLS at all.
    private @Nullable SSLEngine begin() throws IOException {
        if (context == null) {
            return begun(engines.get());
        }
        HandshakeSettings chosen = null;
        while (chosen == null) {
            int n = records.fill();
            if (n == 0) {
                return null;
            }
            begun |= n > 0;
            if (n < 0 || !isTls()) {
                raw.close();
                return null;
            }
            chosen = context.choose(records.input());
        }
        settings = chosen;
        return begun(chosen.engine());
    }

    private static SSLEngine begun(SSLEngine made) throws SSLException {
        made.beginHandshake();
        return made;
    }

    /// Looks at the first byte, and answers what is not TLS.
    private boolean isTls() throws IOException {
        int first = records.firstByte();
        if (first == HANDSHAKE_RECORD) {
            return true;
        }
        byte[] answer = first >= 'A' && first <= 'Z' ? handlers.plainTextAnswer() : null;
        if (answer != null) {
            raw.write(answer, 0, answer.length);
            raw.shutdownOutput();
        }
        LOG.log(Level.DEBUG, () -> raw.remote() + " does not speak TLS");
        return false;
    }

    private void step(SSLEngine current) throws IOException {
        boolean sent = false;
        for (; ; ) {
            switch (current.getHandshakeStatus()) {
                case NEED_TASK -> {
                    if (!compute(current)) {
                        return;
                    }
                }
                case NEED_WRAP -> {
                    if (canLeaveTickets(current)) {
                        finish(current);
                        return;
                    }
                    if (!records.flush()) {
                        raw.interest(Connection.WRITE);
                        return;
                    }
                    records.wrapNothing(current);
                    sent = true;
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!records.flush()) {
                        raw.interest(Connection.WRITE);
                        return;
                    }
                    // Nobody has answered yet what has only just been sent.
                    boolean early = sent && !records.hasInput();
                    sent = false;
                    if (early || !unwrap(current)) {
                        raw.interest(Connection.READ);
                        return;
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    if (records.flush()) {
                        finish(current);
                    } else {
                        raw.interest(Connection.WRITE);
                    }
                    return;
                }
            }
        }
    }

    /// Whether what is left to be sent may go out with the answer to what the client has sent
    /// already, in one packet. Otherwise it must go at once: a client under Nagle's algorithm keeps
    /// its request until its last words are acknowledged, which takes 40 ms unless something is
    /// sent.
    private boolean canLeaveTickets(SSLEngine current) {
        return current instanceof OpenSslEngine own
                && records.hasInput()
                && !records.hasOutput()
                && own.owesOnlyTickets();
    }

    /// @return false when input is missing
    private boolean unwrap(SSLEngine current) throws IOException {
        SSLEngineResult result = records.unwrap(current, TlsRecords.nothing());
        return switch (result.getStatus()) {
            case BUFFER_UNDERFLOW -> {
                int n = records.fill();
                if (n < 0) {
                    throw new EOFException("the peer left during the handshake");
                }
                yield n > 0;
            }
            case CLOSED -> throw new EOFException("the peer ended the handshake");
            case BUFFER_OVERFLOW -> throw new SSLException("data during the handshake");
            case OK -> true;
        };
    }

    /// Quick steps are done on the loop, but not more in a turn than it has time for; the others,
    /// and what is too much for the loop, on the layer's threads.
    ///
    /// @return false when the work goes on later
    private boolean compute(SSLEngine current) throws SSLException {
        if (layer.inline()) {
            runTasks(current);
            return true;
        }
        computing = true;
        raw.interest(0);
        if (current instanceof OpenSslEngine own
                && own.isQuick()
                && raw.compute(() -> {
                    runTasks(current);
                    computed();
                })) {
            return false;
        }
        try {
            layer.execute(
                    () -> {
                        runTasks(current);
                        raw.execute(this::computed);
                    },
                    settings != null && settings.mayWait());
        } catch (RejectedExecutionException e) {
            throw new SSLException("too many handshakes at a time", e);
        }
        return false;
    }

    private void computed() {
        computing = false;
        go();
    }

    private static void runTasks(SSLEngine current) {
        for (Runnable task = current.getDelegatedTask();
                task != null;
                task = current.getDelegatedTask()) {
            task.run();
        }
    }

    private void finish(SSLEngine current) throws SSLException {
        if (settings != null && settings.isChallenge()) {
            over = true;
            LOG.log(Level.DEBUG, () -> raw.remote() + " has been shown a challenge");
            end(current);
            return;
        }
        TlsSession session = session(current, hosts());
        if (!session.isFor(session.serverName())) {
            // Whatever the engine has read for a name: it is not what the settings were chosen by.
            throw new SSLException("the host name is not the one that the handshake began with");
        }
        raw.deadline(Connection.NEVER);
        raw.interest(0);
        over = true;
        if (meter != null) {
            meter.done(System.nanoTime() - beganNanos);
        }
        new TlsConnection(raw, current, session, records, layer.buffers()).start(handlers);
    }

    private Predicate<@Nullable String> hosts() {
        TlsContext own = context;
        HandshakeSettings met = settings;
        return own == null || met == null ? _ -> true : own.hosts(met);
    }

    /// Tells the client by an alert why, if that can be done at once, and closes.
    private void fail(@Nullable SSLEngine current, IOException failure) {
        LOG.log(Level.DEBUG, () -> "TLS handshake of " + raw.remote() + " failed: " + failure);
        tellFailure(failure);
        end(current);
    }

    private void end(@Nullable SSLEngine current) {
        try {
            if (current != null && records.flush()) {
                current.closeOutbound();
                records.wrapNothing(current);
                records.flush();
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "no alert could be sent: " + e);
        }
        raw.close();
    }

    private static TlsSession session(SSLEngine engine, Predicate<@Nullable String> hosts) {
        return session(engine.getSession(), engine.getApplicationProtocol(), hosts);
    }

    /// What a handshake has agreed on.
    static TlsSession session(
            SSLSession session, @Nullable String alpn, Predicate<@Nullable String> hosts) {
        String suite = session.getCipherSuite();
        return TlsSessionBuilder.builder()
                .protocol(session.getProtocol())
                .cipherSuite(suite)
                .keyBits(keyBits(suite))
                .sessionId(HexFormat.of().formatHex(session.getId()))
                .applicationProtocol(alpn == null || alpn.isEmpty() ? null : alpn)
                .serverName(SniKeys.serverName(session))
                .peerCertificates(peerCertificates(session))
                .hosts(hosts)
                .build();
    }

    private static int keyBits(String suite) {
        if (suite.contains("_256_") || suite.contains("CHACHA20")) {
            return 256;
        }
        return suite.contains("_128_") ? 128 : 0;
    }

    private static List<X509Certificate> peerCertificates(SSLSession session) {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            for (Certificate certificate : session.getPeerCertificates()) {
                if (certificate instanceof X509Certificate x509) {
                    chain.add(x509);
                }
            }
        } catch (SSLPeerUnverifiedException e) {
            return List.of(); // the client has shown none
        }
        return chain;
    }
}
