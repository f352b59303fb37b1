package io.margay.transport.tls;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.ByteArrayInputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSessionContext;
import org.jspecify.annotations.Nullable;

/// What a finished handshake of OpenSSL has agreed on: a copy, so that it may be asked when the
/// connection is gone. Values put into it are for one thread at a time.
final class OpenSslSession extends ExtendedSSLSession {
    private static final int ID_BYTES = 32;
    private static final int RECORD_BYTES_MAX = 16 * 1024 + 5 + 256;
    private static final int TEXT_BYTES_MAX = 16 * 1024;
    private static final int TLS13 = 0x0304;
    private static final SecureRandom RANDOM = new SecureRandom();

    /// Names by the address of an `SSL_CIPHER`, of which the library has some dozens.
    private static final Map<Long, String> SUITES = new ConcurrentHashMap<>();

    private final String protocol;
    private final String suite;
    private final byte[] id;
    private final @Nullable String alpn;
    private final @Nullable String host;
    private final List<X509Certificate> chain;
    private final long createdMillis = System.currentTimeMillis();
    private final Map<String, Object> values = new HashMap<>();
    private volatile boolean valid = true;

    private static final class Calls {
        static final MemorySegment VERSION = OpenSsl.ssl("SSL_version");
        static final MemorySegment CIPHER = OpenSsl.ssl("SSL_get_current_cipher");
        static final MemorySegment CIPHER_NAME = OpenSsl.ssl("SSL_CIPHER_standard_name");
        static final MemorySegment SESSION = OpenSsl.ssl("SSL_get_session");
        static final MemorySegment SESSION_ID = OpenSsl.ssl("SSL_SESSION_get_id");
        static final MemorySegment ALPN = OpenSsl.ssl("SSL_get0_alpn_selected");
        static final MemorySegment SERVER_NAME = OpenSsl.ssl("SSL_get_servername");
        static final MemorySegment PEER = OpenSsl.ssl("SSL_get1_peer_certificate");
        static final MemorySegment PEER_CHAIN = OpenSsl.ssl("SSL_get_peer_cert_chain");
        static final MemorySegment STACK_SIZE = OpenSsl.crypto("OPENSSL_sk_num");
        static final MemorySegment STACK_GET = OpenSsl.crypto("OPENSSL_sk_value");
        static final MemorySegment WRITE_X509 = OpenSsl.crypto("i2d_X509");
        static final MemorySegment FREE_X509 = OpenSsl.crypto("X509_free");

        private Calls() {}
    }

    /// Before the handshake's end.
    OpenSslSession() {
        protocol = "NONE";
        suite = "TLS_NULL_WITH_NULL_NULL";
        id = new byte[0];
        alpn = null;
        host = null;
        chain = List.of();
    }

    /// @param asked whether the client was asked for a certificate
    OpenSslSession(long ssl, boolean asked) throws SSLException {
        protocol = (int) OpenSsl.call(Calls.VERSION, ssl) == TLS13 ? "TLSv1.3" : "TLSv1.2";
        suite = SUITES.computeIfAbsent(OpenSsl.call(Calls.CIPHER, ssl), OpenSslSession::suite);
        host = serverName(ssl);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointer = arena.allocate(JAVA_LONG);
            MemorySegment length = arena.allocate(JAVA_INT);
            OpenSsl.call(Calls.ALPN, ssl, pointer.address(), length.address());
            byte[] chosen = bytes(pointer.get(JAVA_LONG, 0), length.get(JAVA_INT, 0));
            alpn = new String(chosen, StandardCharsets.US_ASCII);
            length.set(JAVA_INT, 0, 0);
            long session = OpenSsl.call(Calls.SESSION, ssl);
            long at = OpenSsl.call(Calls.SESSION_ID, session, length.address());
            byte[] own = bytes(at, length.get(JAVA_INT, 0));
            id = own.length > 0 ? own : random();
        }
        chain = asked ? chain(ssl) : List.of();
    }

    private static String suite(long cipher) {
        return OpenSsl.text(OpenSsl.call(Calls.CIPHER_NAME, cipher));
    }

    /// An id where the protocol has none until a ticket is made (TLS 1.3).
    private static byte[] random() {
        byte[] made = new byte[ID_BYTES];
        RANDOM.nextBytes(made);
        return made;
    }

    private static byte[] bytes(long address, int length) {
        return address == 0 || length == 0
                ? new byte[0]
                : OpenSsl.memory(address, length).toArray(JAVA_BYTE);
    }

    /// The host that a client has named, or null.
    static @Nullable String serverName(long ssl) {
        String name = OpenSsl.text(OpenSsl.call(Calls.SERVER_NAME, ssl, 0));
        return name.isEmpty() ? null : name.toLowerCase(Locale.ROOT);
    }

    private static List<X509Certificate> chain(long ssl) throws SSLException {
        long own = OpenSsl.call(Calls.PEER, ssl);
        if (own == 0) {
            return List.of();
        }
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            List<X509Certificate> found = new ArrayList<>();
            found.add(certificate(factory, own));
            long above = OpenSsl.call(Calls.PEER_CHAIN, ssl);
            int count = above == 0 ? 0 : (int) OpenSsl.call(Calls.STACK_SIZE, above);
            for (int i = 0; i < count; i++) {
                found.add(certificate(factory, OpenSsl.call(Calls.STACK_GET, above, i)));
            }
            return List.copyOf(found);
        } catch (CertificateException e) {
            throw new SSLException("the client's certificate cannot be read", e);
        } finally {
            OpenSsl.call(Calls.FREE_X509, own);
        }
    }

    /// The certificate that an `X509` stands for.
    static X509Certificate certificate(long x509) throws CertificateException {
        return certificate(CertificateFactory.getInstance("X.509"), x509);
    }

    private static X509Certificate certificate(CertificateFactory factory, long x509)
            throws CertificateException {
        int length = (int) OpenSsl.call(Calls.WRITE_X509, x509, 0);
        if (length <= 0) {
            throw new CertificateException("not to be encoded");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment der = arena.allocate(length);
            MemorySegment pointer = arena.allocateFrom(JAVA_LONG, der.address());
            OpenSsl.call(Calls.WRITE_X509, x509, pointer.address());
            byte[] bytes = der.toArray(JAVA_BYTE);
            return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes));
        }
    }

    /// The protocol chosen by ALPN, empty for none.
    String applicationProtocol() {
        return alpn == null ? "" : alpn;
    }

    /// The host that the client has named, in lower case, or null.
    @Nullable String host() {
        return host;
    }

    @Override
    public List<SNIServerName> getRequestedServerNames() {
        if (host == null) {
            return List.of();
        }
        try {
            return List.of(new SNIHostName(host));
        } catch (IllegalArgumentException e) {
            return List.of(); // not a host name
        }
    }

    @Override
    public String[] getLocalSupportedSignatureAlgorithms() {
        return new String[0];
    }

    @Override
    public String[] getPeerSupportedSignatureAlgorithms() {
        return new String[0];
    }

    @Override
    public byte[] getId() {
        return id.clone();
    }

    @Override
    public @Nullable SSLSessionContext getSessionContext() {
        return null;
    }

    @Override
    public long getCreationTime() {
        return createdMillis;
    }

    @Override
    public long getLastAccessedTime() {
        return createdMillis;
    }

    @Override
    public void invalidate() {
        valid = false;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public void putValue(String name, Object value) {
        values.put(name, value);
    }

    @Override
    public @Nullable Object getValue(String name) {
        return values.get(name);
    }

    @Override
    public void removeValue(String name) {
        values.remove(name);
    }

    @Override
    public String[] getValueNames() {
        return values.keySet().toArray(new String[0]);
    }

    @Override
    public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
        if (chain.isEmpty()) {
            throw new SSLPeerUnverifiedException("the client has shown no certificate");
        }
        return chain.toArray(new Certificate[0]);
    }

    @Override
    public Certificate @Nullable [] getLocalCertificates() {
        return null;
    }

    @Override
    public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
        return ((X509Certificate) getPeerCertificates()[0]).getSubjectX500Principal();
    }

    @Override
    public @Nullable Principal getLocalPrincipal() {
        return null;
    }

    @Override
    public String getCipherSuite() {
        return suite;
    }

    @Override
    public String getProtocol() {
        return protocol;
    }

    @Override
    public @Nullable String getPeerHost() {
        return null;
    }

    @Override
    public int getPeerPort() {
        return -1;
    }

    @Override
    public int getPacketBufferSize() {
        return RECORD_BYTES_MAX;
    }

    @Override
    public int getApplicationBufferSize() {
        return TEXT_BYTES_MAX;
    }
}
