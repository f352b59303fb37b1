package io.margay.transport.tls;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfigBuilder;
import io.margay.transport.TlsSession;
import io.margay.transport.quic.NativeCipher;
import io.margay.transport.quic.QuicHandshake;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The handshake of one QUIC connection by OpenSSL 3.5 or newer, whose callbacks give and take the
/// octets of messages and tell the secrets (`SSL_set_quic_tls_cbs`). Confined to its loop, on whose
/// thread OpenSSL calls back; nothing may be thrown through it, so a failure ends the handshake.
///
/// The messages before the names are known are kept here: which settings hold depends on the host
/// that the client asks for.
final class OpenSslQuic implements QuicHandshake {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private static final int INTERNAL_ERROR = 80;
    private static final int UNEXPECTED_MESSAGE = 10;
    private static final int DECODE_ERROR = 50;
    private static final int NO_APPLICATION_PROTOCOL = 120;
    private static final int WANT_READ = 2;
    private static final int INITIAL = 0;
    private static final int WRITE = 1;
    private static final int OK = 1;
    private static final int FAILED = 0;
    private static final int RECORD_HEADER_BYTES = 5;
    private static final int MESSAGE_HEADER_BYTES = 4;
    private static final int CLIENT_HELLO = 1;

    /// What a ClientHello may have, octets, and how much may wait for OpenSSL.
    private static final int HELLO_MAX = 16_384;

    private static final int INPUT_MAX = 131_072;
    private static final int INPUT_BYTES = 4_096;

    /// Where data would be read to, of which QUIC has none here.
    private static final MemorySegment NOTHING = Arena.global().allocate(8);

    /// None is critical, as those of records are ([OpenSsl#read]): a JVM in which OpenSSL calls
    /// back out of a critical call ends.
    private static final class Calls {
        static final MemorySegment CALLBACKS = OpenSsl.ssl("SSL_set_quic_tls_cbs");
        static final MemorySegment PARAMETERS = OpenSsl.ssl("SSL_set_quic_tls_transport_params");
        static final MemorySegment ACCEPT = OpenSsl.ssl("SSL_set_accept_state");
        static final MemorySegment HANDSHAKE = OpenSsl.ssl("SSL_do_handshake");
        static final MemorySegment READ = OpenSsl.ssl("SSL_read");
        static final MemorySegment GET_ERROR = OpenSsl.ssl("SSL_get_error");
        static final MemorySegment CIPHER = OpenSsl.ssl("SSL_get_current_cipher");
        static final MemorySegment PENDING = OpenSsl.ssl("SSL_get_pending_cipher");
        static final MemorySegment CIPHER_ID = OpenSsl.ssl("SSL_CIPHER_get_protocol_id");
        static final MemorySegment FREE = OpenSsl.ssl("SSL_free");

        private Calls() {}
    }

    /// The entry points for OpenSSL, in the table that it takes (`OSSL_DISPATCH`).
    private static final class Entries {
        private static final int FIRST_ID = 2001;
        private static final long ENTRY_BYTES = 16;

        static final MemorySegment TABLE = table();

        private Entries() {}

        private static MemorySegment table() {
            MemorySegment[] entries = {
                stub(
                        "cryptoSend",
                        FunctionDescriptor.of(
                                JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG)),
                stub(
                        "cryptoReceive",
                        FunctionDescriptor.of(
                                JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG)),
                stub(
                        "cryptoRelease",
                        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG)),
                stub(
                        "secret",
                        FunctionDescriptor.of(
                                JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG,
                                JAVA_LONG)),
                stub(
                        "parameters",
                        FunctionDescriptor.of(
                                JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG)),
                stub("alert", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_BYTE, JAVA_LONG))
            };
            MemorySegment made = Arena.global().allocate((entries.length + 1) * ENTRY_BYTES, 8);
            for (int i = 0; i < entries.length; i++) {
                made.set(JAVA_INT, i * ENTRY_BYTES, FIRST_ID + i);
                made.set(JAVA_LONG, i * ENTRY_BYTES + 8, entries[i].address());
            }
            return made;
        }

        private static MemorySegment stub(String method, FunctionDescriptor shape) {
            return OpenSsl.stub(OWN, method, shape);
        }
    }

    private static final MethodHandles.Lookup OWN = MethodHandles.lookup();

    /// By address of the `SSL`.
    private static final Map<Long, OpenSslQuic> LIVE = new ConcurrentHashMap<>();

    private final TlsContext context;
    private final TlsLayer.HandshakeMeter meter;
    private final long begunNanos = System.nanoTime();
    private byte[] parameters = {};
    private @Nullable Events events;
    private byte[] hello = {};
    private @Nullable HandshakeSettings settings;

    /// Kept as long as OpenSSL may ask it.
    private @Nullable OpenSslEngines owner;

    private long ssl;

    /// Our transport parameters, kept as long as OpenSSL may read them.
    @SuppressWarnings({"unused", "UnusedVariable"})
    private @Nullable MemorySegment told;

    private @Nullable MemorySegment input;
    private int from;
    private int to;
    private int readLevel;
    private int writeLevel;
    private boolean complete;
    private boolean over;

    OpenSslQuic(TlsContext context, TlsLayer.HandshakeMeter meter) {
        this.context = context;
        this.meter = meter;
    }

    /// The same settings for QUIC, which has TLS 1.3 alone.
    static TlsConfig settings(TlsConfig tls) {
        List<TlsConfig.Named> named =
                tls.named().stream()
                        .map(one ->
                                new TlsConfig.Named(
                                        one.names(), ofQuic(one.tls(), tls.applicationProtocols())))
                        .toList();
        return ofQuic(tls, tls.applicationProtocols()).withNamed(named);
    }

    private static TlsConfig ofQuic(TlsConfig tls, List<String> applicationProtocols) {
        return TlsConfigBuilder.builder(tls)
                .protocols(List.of("TLSv1.3"))
                .applicationProtocols(applicationProtocols)
                .provider(TlsConfig.Provider.OPENSSL)
                .challenges(null)
                .build();
    }

    @Override
    public void start(byte[] ours, Events to) {
        parameters = ours;
        events = to;
    }

    private Events events() {
        Events known = events;
        if (known == null) {
            throw new IllegalStateException("the handshake was not started");
        }
        return known;
    }

    // Input

    @Override
    public void receive(int level, byte[] octets, int start, int end) {
        if (over) {
            return;
        }
        if (ssl == 0 && !open(level, octets, start, end)) {
            return;
        }
        if (level != readLevel) {
            fail(UNEXPECTED_MESSAGE);
            return;
        }
        if (hello.length > 0) {
            put(hello, 0, hello.length);
            hello = new byte[0];
        } else {
            put(octets, start, end);
        }
        advance();
    }

    /// Learns by whose settings the handshake goes, and begins it.
    ///
    /// @return false while they are not known
    private boolean open(int level, byte[] octets, int start, int end) {
        if (level != INITIAL || hello.length + end - start > HELLO_MAX) {
            fail(UNEXPECTED_MESSAGE);
            return false;
        }
        int before = hello.length;
        hello = Arrays.copyOf(hello, before + end - start);
        System.arraycopy(octets, start, hello, before, end - start);
        int whole = wholeBytes(hello);
        if (whole > HELLO_MAX || (before == 0 && hello[0] != CLIENT_HELLO)) {
            fail(UNEXPECTED_MESSAGE);
            return false;
        }
        if (hello.length < whole) {
            return false; // it is looked at once, however many pieces it comes in
        }
        HandshakeSettings chosen;
        try {
            chosen = context.choose(asRecord(hello));
        } catch (SSLException e) {
            fail(DECODE_ERROR);
            return false;
        }
        if (chosen == null) {
            return false;
        }
        settings = chosen;
        OpenSslEngines engines = chosen.openSsl();
        long made = engines == null ? 0 : engines.connect();
        if (made == 0) {
            fail(INTERNAL_ERROR);
            return false;
        }
        owner = engines;
        ssl = made;
        LIVE.put(made, this);
        MemorySegment ours = Arena.ofAuto().allocateFrom(JAVA_BYTE, parameters);
        told = ours;
        OpenSsl.call(Calls.ACCEPT, made);
        boolean set =
                (int) OpenSsl.call(Calls.CALLBACKS, made, Entries.TABLE.address(), 0) == OK
                        && (int)
                                        OpenSsl.call(
                                                Calls.PARAMETERS,
                                                made,
                                                ours.address(),
                                                parameters.length)
                                == OK;
        if (!set) {
            LOG.log(Level.ERROR, "OpenSSL takes no handshake of QUIC: " + OpenSsl.error());
            fail(INTERNAL_ERROR);
        }
        return set;
    }

    /// Octets that a message has which begins so, with its header.
    private static int wholeBytes(byte[] begun) {
        if (begun.length < MESSAGE_HEADER_BYTES) {
            return MESSAGE_HEADER_BYTES;
        }
        int body = 0;
        for (int i = 1; i < MESSAGE_HEADER_BYTES; i++) {
            body = (body << 8) | (begun[i] & 0xff);
        }
        return MESSAGE_HEADER_BYTES + body;
    }

    /// As over TCP, where [ClientHello] looks for the names.
    private static ByteBuffer asRecord(byte[] message) {
        byte[] record = new byte[RECORD_HEADER_BYTES + message.length];
        record[0] = 22;
        record[1] = 3;
        record[2] = 1;
        record[3] = (byte) (message.length >> 8);
        record[4] = (byte) message.length;
        System.arraycopy(message, 0, record, RECORD_HEADER_BYTES, message.length);
        return ByteBuffer.wrap(record);
    }

    private void put(byte[] octets, int start, int end) {
        int count = end - start;
        MemorySegment held = input;
        int waiting = to - from;
        if (waiting + count > INPUT_MAX) {
            fail(UNEXPECTED_MESSAGE);
            return;
        }
        if (held == null || held.byteSize() - to < count) {
            int size = Math.max(INPUT_BYTES, 2 * (waiting + count));
            MemorySegment larger = Arena.ofAuto().allocate(size);
            if (held != null) {
                larger.copyFrom(held.asSlice(from, waiting));
            }
            input = larger;
            held = larger;
            from = 0;
            to = waiting;
        }
        MemorySegment.copy(octets, start, held, JAVA_BYTE, to, count);
        to += count;
    }

    /// Lets OpenSSL go on with what has come.
    private void advance() {
        if (over) {
            return;
        }
        OpenSsl.clearErrors();
        int result =
                complete
                        ? (int) OpenSsl.call(Calls.READ, ssl, NOTHING.address(), 1)
                        : (int) OpenSsl.call(Calls.HANDSHAKE, ssl);
        if (over) {
            return; // by an alert
        }
        if (result != OK) {
            if ((int) OpenSsl.call(Calls.GET_ERROR, ssl, result) != WANT_READ) {
                LOG.log(Level.DEBUG, () -> "a handshake of QUIC failed: " + OpenSsl.error());
                fail(INTERNAL_ERROR);
            }
            OpenSsl.clearErrors();
        } else if (!complete) {
            completed();
        }
    }

    private void completed() {
        OpenSsl.clearErrors();
        complete = true;
        OpenSslEngines engines = owner;
        HandshakeSettings met = settings;
        TlsSession session;
        try {
            OpenSslSession agreed = new OpenSslSession(ssl, engines != null && engines.asks());
            session =
                    TlsHandshake.session(
                            agreed,
                            agreed.applicationProtocol(),
                            met == null ? _ -> true : context.hosts(met));
        } catch (SSLException e) {
            fail(DECODE_ERROR);
            return;
        }
        if (session.applicationProtocol() == null) {
            fail(NO_APPLICATION_PROTOCOL);
            return;
        }
        meter.done(System.nanoTime() - begunNanos);
        events().complete(session);
    }

    private void fail(int alert) {
        if (!over) {
            over = true;
            if (!complete) {
                meter.failed();
            }
            events().alert(alert);
        }
    }

    @Override
    public @Nullable NativeCipher cipher(int suite, byte[] key, boolean seals) {
        return OpenSslCipher.of(suite, key, seals);
    }

    @Override
    public void close() {
        if (!complete && !over) {
            meter.failed();
        }
        over = true;
        if (ssl != 0) {
            LIVE.remove(ssl);
            OpenSsl.call(Calls.FREE, ssl);
            ssl = 0;
        }
        input = null;
        told = null;
        hello = new byte[0];
    }

    // What OpenSSL calls

    private static int tried(long ssl, java.util.function.ToIntFunction<OpenSslQuic> step) {
        try {
            OpenSslQuic known = LIVE.get(ssl);
            return known == null ? FAILED : step.applyAsInt(known);
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "a handshake of QUIC failed by a fault of the server", e);
            return FAILED;
        }
    }

    @SuppressWarnings("UnusedMethod") // called by OpenSSL
    private static int cryptoSend(long ssl, long bytes, long length, long consumed, long unused) {
        return tried(
                ssl,
                one -> {
                    byte[] octets = OpenSsl.memory(bytes, length).toArray(JAVA_BYTE);
                    one.events().send(one.writeLevel, octets);
                    OpenSsl.memory(consumed, 8).set(JAVA_LONG, 0, length);
                    return OK;
                });
    }

    @SuppressWarnings("UnusedMethod") // called by OpenSSL
    private static int cryptoReceive(long ssl, long bytes, long length, long unused) {
        return tried(
                ssl,
                one -> {
                    MemorySegment held = one.input;
                    int count = one.to - one.from;
                    long at = held == null || count == 0 ? 0 : held.address() + one.from;
                    OpenSsl.memory(bytes, 8).set(JAVA_LONG, 0, at);
                    OpenSsl.memory(length, 8).set(JAVA_LONG, 0, count);
                    return OK;
                });
    }

    @SuppressWarnings("UnusedMethod") // called by OpenSSL
    private static int cryptoRelease(long ssl, long length, long unused) {
        return tried(
                ssl,
                one -> {
                    one.from += (int) length;
                    return OK;
                });
    }

    @SuppressWarnings("UnusedMethod") // called by OpenSSL
    private static int secret(
            long ssl, int level, int direction, long secret, long length, long unused) {
        return tried(
                ssl,
                one -> {
                    byte[] octets = OpenSsl.memory(secret, length).toArray(JAVA_BYTE);
                    long cipher = OpenSsl.call(Calls.CIPHER, ssl);
                    cipher = cipher == 0 ? OpenSsl.call(Calls.PENDING, ssl) : cipher;
                    int suite = (int) OpenSsl.call(Calls.CIPHER_ID, cipher) & 0xffff;
                    if (direction == WRITE) {
                        one.writeLevel = level;
                        one.events().secrets(level, suite, null, octets);
                    } else {
                        one.readLevel = level;
                        one.events().secrets(level, suite, octets, null);
                    }
                    return OK;
                });
    }

    @SuppressWarnings("UnusedMethod") // called by OpenSSL
    private static int parameters(long ssl, long bytes, long length, long unused) {
        return tried(
                ssl,
                one -> {
                    one.events().peerParameters(OpenSsl.memory(bytes, length).toArray(JAVA_BYTE));
                    return OK;
                });
    }

    @SuppressWarnings("UnusedMethod") // called by OpenSSL
    private static int alert(long ssl, byte description, long unused) {
        return tried(
                ssl,
                one -> {
                    one.fail(description & 0xff);
                    return OK;
                });
    }
}
