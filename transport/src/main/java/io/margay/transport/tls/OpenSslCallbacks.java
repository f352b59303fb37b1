package io.margay.transport.tls;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// What OpenSSL asks back during a handshake: the application protocol, the certificate for a name,
/// the keys of tickets, the response to be stapled. Four entry points for the whole process, beside
/// that of [OpenSslIssuer]; the `SSL_CTX` tells whose handshake it is. Called on the thread that
/// makes the handshake; nothing may be thrown through OpenSSL, so a failure ends the handshake and
/// is logged.
final class OpenSslCallbacks {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private static final int TLSEXT_OK = 0;
    private static final int TLSEXT_ALERT_FATAL = 2;
    private static final int TLSEXT_NO_ACKNOWLEDGE = 3;
    private static final int TICKET_FAILED = -1;
    private static final int TICKET_OPENED = 1;
    private static final int TICKET_OPENED_TO_BE_REPLACED = 2;
    private static final int TLS13 = 0x0304;

    /// By address of the `SSL_CTX`. Weak, since a context is freed when nothing refers to its
    /// owner; connections do.
    private static final Map<Long, WeakReference<OpenSslEngines>> OWNERS =
            new ConcurrentHashMap<>();

    private static final MemorySegment GET_CONTEXT = OpenSsl.ssl("SSL_get_SSL_CTX");
    private static final MemorySegment GET_VERSION = OpenSsl.ssl("SSL_version");

    /// `int (SSL *, const unsigned char **out, unsigned char *outlen, const unsigned char *in,
    /// unsigned int inlen, void *arg)`.
    static final MemorySegment ALPN =
            stub(
                    "alpn",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT,
                            JAVA_LONG));

    /// `int (SSL *, int *alert, void *arg)`.
    static final MemorySegment SERVER_NAME =
            stub("serverName", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    /// `int (SSL *, unsigned char *name, unsigned char *iv, EVP_CIPHER_CTX *, EVP_MAC_CTX *, int
    /// seal)`.
    static final MemorySegment TICKET =
            stub(
                    "ticket",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                            JAVA_INT));

    /// `int (SSL *, void *arg)`.
    static final MemorySegment STATUS =
            stub("status", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

    private OpenSslCallbacks() {}

    private static MemorySegment stub(String method, FunctionDescriptor shape) {
        return OpenSsl.stub(MethodHandles.lookup(), method, shape);
    }

    static void own(long context, OpenSslEngines owner) {
        OWNERS.put(context, new WeakReference<>(owner));
    }

    static void forget(long context) {
        OWNERS.remove(context);
    }

    private static @Nullable OpenSslEngines owner(long ssl) {
        WeakReference<OpenSslEngines> found = OWNERS.get(OpenSsl.call(GET_CONTEXT, ssl));
        return found == null ? null : found.get();
    }

    @SuppressWarnings("UnusedMethod") // called by OpenSSL
    private static int alpn(long ssl, long out, long outLength, long in, int length, long unused) {
        try {
            OpenSslEngines owner = owner(ssl);
            byte[] offered = OpenSsl.memory(in, length).toArray(JAVA_BYTE);
            int at = owner == null ? -1 : owner.chooseProtocol(offered);
            if (at < 0) {
                return TLSEXT_ALERT_FATAL; // no_application_protocol (RFC 7301 §3.2)
            }
            OpenSsl.memory(out, 8).set(JAVA_LONG, 0, in + at + 1);
            OpenSsl.memory(outLength, 1).set(JAVA_BYTE, 0, offered[at]);
            return TLSEXT_OK;
        } catch (Throwable e) {
            failed(e);
            return TLSEXT_ALERT_FATAL;
        }
    }

    @SuppressWarnings("UnusedMethod") // called by OpenSSL
    private static int serverName(long ssl, long unusedAlert, long unused) {
        try {
            OpenSslEngines owner = owner(ssl);
            if (owner == null) {
                return TLSEXT_ALERT_FATAL;
            }
            String name = OpenSslSession.serverName(ssl);
            owner.showCertificateFor(ssl, name);
            return name == null ? TLSEXT_NO_ACKNOWLEDGE : TLSEXT_OK;
        } catch (Throwable e) {
            failed(e);
            return TLSEXT_ALERT_FATAL;
        }
    }

    @SuppressWarnings("UnusedMethod") // called by OpenSSL
    private static int ticket(long ssl, long name, long vector, long cipher, long mac, int seal) {
        try {
            OpenSslEngines owner = owner(ssl);
            if (owner == null) {
                return TICKET_FAILED;
            }
            TicketKeys keys = owner.tickets();
            if (seal != 0) {
                return keys.seal(name, vector, cipher, mac);
            }
            int result = keys.open(name, vector, cipher, mac);
            // A ticket of TLS 1.3 is for one use (RFC 8446 §C.4): the client needs another.
            return result == TICKET_OPENED && (int) OpenSsl.call(GET_VERSION, ssl) == TLS13
                    ? TICKET_OPENED_TO_BE_REPLACED
                    : result;
        } catch (Throwable e) {
            failed(e);
            return TICKET_FAILED;
        }
    }

    @SuppressWarnings("UnusedMethod") // called by OpenSSL
    private static int status(long ssl, long unused) {
        try {
            OpenSslEngines owner = owner(ssl);
            return owner != null && owner.staple(ssl) ? TLSEXT_OK : TLSEXT_NO_ACKNOWLEDGE;
        } catch (Throwable e) {
            failed(e);
            return TLSEXT_NO_ACKNOWLEDGE;
        }
    }

    private static void failed(Throwable e) {
        LOG.log(Level.ERROR, "a TLS handshake failed by a fault of the server", e);
    }
}
