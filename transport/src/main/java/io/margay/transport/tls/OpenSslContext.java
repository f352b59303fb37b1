package io.margay.transport.tls;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfig.ClientAuth;
import io.margay.transport.TlsSetupException;
import io.margay.transport.tls.certificate.ClientAuthorities;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.security.cert.CRLException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/// An `SSL_CTX`: what a listener's handshakes have in common but for the certificates, which each
/// is given by its name ([OpenSslKeys]). Freed when nothing in the heap refers to it any more;
/// OpenSSL counts the connections that use it. Thread-safe.
final class OpenSslContext {
    private static final int CTRL_MODE = 33;
    private static final int CTRL_READ_AHEAD = 41;
    private static final int CTRL_SESSION_CACHE_MODE = 44;
    private static final int CTRL_SERVER_NAME_CALLBACK = 53;
    private static final int CTRL_STATUS_CALLBACK = 63;
    private static final int CTRL_PROTOCOL_MIN = 123;
    private static final int CTRL_PROTOCOL_MAX = 124;

    private static final long MODE_PARTIAL_WRITE = 1;
    private static final long MODE_MOVING_BUFFER = 2;

    /// Gives the memory for records back after each; finished handshakes switch it off.
    static final long MODE_RELEASE_BUFFERS = 0x10;

    private static final long OPTION_CIPHER_SERVER_PREFERENCE = 1L << 22;
    private static final long OPTION_NO_RENEGOTIATION = 1L << 30;
    private static final long OPTION_NO_COMPRESSION = 1L << 17;
    private static final long OPTION_PRIORITIZE_CHACHA = 1L << 21;

    private static final int VERIFY_PEER = 1;
    private static final int VERIFY_FAIL_WITHOUT = 2;
    private static final long CHECK_CRL = 0x4;
    private static final long CHECK_CRL_ALL = 0x8;
    private static final int TLS12 = 0x0303;
    private static final int TLS13 = 0x0304;
    private static final int SESSION_SECONDS = 3600;

    /// Session tickets for a full handshake of TLS 1.3. Two are usual with OpenSSL, one is with the
    /// JDK; each costs a fifteenth of what OpenSSL takes for the handshake.
    private static final int TICKETS = 1;

    /// Forward secrecy by elliptic curves and authenticated encryption: none in CBC mode
    /// (CVE-2013-0169), none whose key exchange costs the server most (CVE-2002-20001).
    private static final String SUITES_12_DEFAULT = "ECDHE+AESGCM:ECDHE+CHACHA20";

    private final long address;

    /// Keeps it from being freed.
    private final MemorySegment handle;

    /// The functions that set a context up.
    private static final class Calls {
        static final MemorySegment METHOD = OpenSsl.ssl("TLS_server_method");
        static final MemorySegment NEW = OpenSsl.ssl("SSL_CTX_new");
        static final MemorySegment FREE = OpenSsl.ssl("SSL_CTX_free");
        static final MemorySegment NEW_CONNECTION = OpenSsl.ssl("SSL_new");
        static final MemorySegment FREE_CONNECTION = OpenSsl.ssl("SSL_free");
        static final MemorySegment CTRL = OpenSsl.ssl("SSL_CTX_ctrl");
        static final MemorySegment CALLBACK = OpenSsl.ssl("SSL_CTX_callback_ctrl");
        static final MemorySegment CIPHER_NAME = OpenSsl.ssl("OPENSSL_cipher_name");
        static final MemorySegment SUITES_13 = OpenSsl.ssl("SSL_CTX_set_ciphersuites");
        static final MemorySegment SUITES_12 = OpenSsl.ssl("SSL_CTX_set_cipher_list");
        static final MemorySegment OPTIONS = OpenSsl.ssl("SSL_CTX_set_options");
        static final MemorySegment TIMEOUT = OpenSsl.ssl("SSL_CTX_set_timeout");
        static final MemorySegment ID_CONTEXT = OpenSsl.ssl("SSL_CTX_set_session_id_context");
        static final MemorySegment TICKETS = OpenSsl.ssl("SSL_CTX_set_tlsext_ticket_key_evp_cb");
        static final MemorySegment TICKET_COUNT = OpenSsl.ssl("SSL_CTX_set_num_tickets");
        static final MemorySegment ALPN = OpenSsl.ssl("SSL_CTX_set_alpn_select_cb");
        static final MemorySegment VERIFY = OpenSsl.ssl("SSL_CTX_set_verify");
        static final MemorySegment STORE = OpenSsl.ssl("SSL_CTX_get_cert_store");
        static final MemorySegment CLIENT_CA = OpenSsl.ssl("SSL_CTX_add_client_CA");
        static final MemorySegment FREE_X509 = OpenSsl.crypto("X509_free");
        static final MemorySegment STORE_ADD = OpenSsl.crypto("X509_STORE_add_cert");
        static final MemorySegment STORE_DEPTH = OpenSsl.crypto("X509_STORE_set_depth");
        static final MemorySegment STORE_ISSUER = OpenSsl.crypto("X509_STORE_set_get_issuer");
        static final MemorySegment STORE_FLAGS = OpenSsl.crypto("X509_STORE_set_flags");
        static final MemorySegment STORE_ADD_CRL = OpenSsl.crypto("X509_STORE_add_crl");
        static final MemorySegment READ_CRL = OpenSsl.crypto("d2i_X509_CRL");
        static final MemorySegment FREE_CRL = OpenSsl.crypto("X509_CRL_free");

        private Calls() {}
    }

    /// @param owner answers what OpenSSL asks back
    /// @param idContext only sessions with the same are resumed
    OpenSslContext(
            TlsConfig config,
            ClientAuthorities authorities,
            byte[] idContext,
            OpenSslEngines owner) {
        address = OpenSsl.call(Calls.NEW, OpenSsl.call(Calls.METHOD));
        if (address == 0) {
            throw OpenSsl.refused("no context");
        }
        Handle own = new Handle(address);
        handle = own.attached();
        protocols(config.protocols());
        suites(config.cipherSuites());
        behaviour(!config.cipherSuites().isEmpty(), idContext);
        if (config.stapling().from() != null
                || config.certificates().stream().anyMatch(one -> one.ocsp() != null)) {
            OpenSsl.call(
                    Calls.CALLBACK,
                    address,
                    CTRL_STATUS_CALLBACK,
                    OpenSslCallbacks.STATUS.address());
        }
        clients(config.clients().auth(), authorities);
        // Also where there is one certificate: a session of TLS 1.2 keeps only a name that was
        // accepted, and by that it is known again for which host it was made.
        OpenSsl.call(
                Calls.CALLBACK,
                address,
                CTRL_SERVER_NAME_CALLBACK,
                OpenSslCallbacks.SERVER_NAME.address());
        if (!config.applicationProtocols().isEmpty()) {
            OpenSsl.call(Calls.ALPN, address, OpenSslCallbacks.ALPN.address(), 0);
        }
        OpenSslCallbacks.own(address, owner);
    }

    /// Frees an `SSL_CTX`. It does not know the object for which it does.
    private record Handle(long address) {
        @SuppressWarnings("restricted")
        MemorySegment attached() {
            return MemorySegment.ofAddress(address)
                    .reinterpret(Arena.ofAuto(), _ -> release(address));
        }

        private static void release(long address) {
            OpenSslCallbacks.forget(address); // before the address can be another's
            OpenSsl.call(Calls.FREE, address);
        }
    }

    /// A connection, which must be freed.
    long connect() {
        try {
            return OpenSsl.call(Calls.NEW_CONNECTION, address);
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    /// Whether OpenSSL takes certificates, which it need not keep.
    ///
    /// @throws TlsSetupException saying why not
    void check(OpenSslKeys keys) {
        long ssl = connect();
        try {
            keys.show(ssl);
        } finally {
            OpenSsl.call(Calls.FREE_CONNECTION, ssl);
        }
    }

    private void protocols(List<String> wanted) {
        int least = TLS13;
        int most = TLS12;
        for (String protocol : wanted) {
            int version =
                    switch (protocol) {
                        case "TLSv1.2" -> TLS12;
                        case "TLSv1.3" -> TLS13;
                        default ->
                                throw new TlsSetupException(
                                        "unknown TLS version '"
                                                + protocol
                                                + "'; there are TLSv1.3 and TLSv1.2");
                    };
            least = Math.min(least, version);
            most = Math.max(most, version);
        }
        OpenSsl.call(Calls.CTRL, address, CTRL_PROTOCOL_MIN, least, 0);
        OpenSsl.call(Calls.CTRL, address, CTRL_PROTOCOL_MAX, most, 0);
    }

    /// TLS 1.3 has suites of its own, which OpenSSL calls by their registered names.
    private void suites(List<String> wanted) {
        List<String> of13 = new ArrayList<>();
        List<String> of12 = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            for (String suite : wanted) {
                long name = arena.allocateFrom(suite).address();
                String own = OpenSsl.text(OpenSsl.call(Calls.CIPHER_NAME, name));
                if (own.isEmpty() || own.equals("(NONE)")) {
                    throw TlsSetupException.unknownSuite(suite);
                }
                (own.equals(suite) ? of13 : of12).add(own);
            }
            if (!of13.isEmpty()) {
                long names = arena.allocateFrom(String.join(":", of13)).address();
                check(OpenSsl.call(Calls.SUITES_13, address, names), "ciphers refused");
            }
            if (wanted.isEmpty()) {
                of12.add(SUITES_12_DEFAULT);
            }
            if (!of12.isEmpty()) {
                long names = arena.allocateFrom(String.join(":", of12)).address();
                check(OpenSsl.call(Calls.SUITES_12, address, names), "ciphers refused");
            }
        }
    }

    /// @param ordered whether suites were named, so that their order counts; of ours every one is
    ///   good, and the client knows which is cheap for it
    private void behaviour(boolean ordered, byte[] idContext) {
        long options = OPTION_NO_RENEGOTIATION | OPTION_NO_COMPRESSION;
        if (ordered) {
            options |= OPTION_CIPHER_SERVER_PREFERENCE | OPTION_PRIORITIZE_CHACHA;
        }
        OpenSsl.call(Calls.OPTIONS, address, options);
        OpenSsl.call(
                Calls.CTRL,
                address,
                CTRL_MODE,
                MODE_PARTIAL_WRITE | MODE_MOVING_BUFFER | MODE_RELEASE_BUFFERS,
                0);
        // A record's head and body at once: the engine hands over whole ones, never more than one.
        OpenSsl.call(Calls.CTRL, address, CTRL_READ_AHEAD, 1, 0);
        // Tickets hold the sessions, so none is kept here.
        OpenSsl.call(Calls.CTRL, address, CTRL_SESSION_CACHE_MODE, 0, 0);
        OpenSsl.call(Calls.TIMEOUT, address, SESSION_SECONDS);
        OpenSsl.call(Calls.TICKETS, address, OpenSslCallbacks.TICKET.address());
        OpenSsl.call(Calls.TICKET_COUNT, address, TICKETS);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocateFrom(JAVA_BYTE, idContext);
            check(
                    OpenSsl.call(Calls.ID_CONTEXT, address, id.address(), idContext.length),
                    "context of sessions refused");
        }
    }

    private void clients(ClientAuth wanted, ClientAuthorities authorities) {
        if (wanted == ClientAuth.NONE) {
            return;
        }
        int mode = VERIFY_PEER | (wanted == ClientAuth.NEED ? VERIFY_FAIL_WITHOUT : 0);
        OpenSsl.call(Calls.VERIFY, address, mode, 0);
        long store = OpenSsl.call(Calls.STORE, address);
        // The store's, since the checks of a handshake begin with those.
        check(OpenSsl.call(Calls.STORE_DEPTH, store, authorities.depthMax()), "depth refused");
        OpenSsl.call(Calls.STORE_ISSUER, store, OpenSslIssuer.FIND.address());
        for (X509Certificate authority : authorities.trusted()) {
            add(Calls.STORE_ADD, store, authority);
        }
        for (X509Certificate authority : authorities.announced()) {
            add(Calls.CLIENT_CA, address, authority);
        }
        if (authorities.checksRevocation()) {
            long flags = CHECK_CRL | (authorities.wholeChain() ? CHECK_CRL_ALL : 0);
            check(OpenSsl.call(Calls.STORE_FLAGS, store, flags), "CRL check refused");
            for (X509CRL crl : authorities.crls()) {
                add(store, crl);
            }
        }
    }

    private static void add(MemorySegment function, long to, X509Certificate authority) {
        long trusted = OpenSsl.x509(authority);
        try {
            check(OpenSsl.call(function, to, trusted), "authority refused");
        } finally {
            OpenSsl.call(Calls.FREE_X509, trusted);
        }
    }

    private static void add(long store, X509CRL crl) {
        try {
            long list = OpenSsl.decode(Calls.READ_CRL, crl.getEncoded());
            try {
                check(OpenSsl.call(Calls.STORE_ADD_CRL, store, list), "CRL refused");
            } finally {
                OpenSsl.call(Calls.FREE_CRL, list);
            }
        } catch (CRLException e) {
            throw new TlsSetupException("a CRL cannot be encoded", e);
        }
    }

    private static void check(long result, String what) {
        if ((int) result != 1) {
            throw OpenSsl.refused(what);
        }
    }
}
