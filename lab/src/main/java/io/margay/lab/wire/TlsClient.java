package io.margay.lab.wire;

import io.margay.protocol.quic.tls.QuicTls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// Makes the client's end of TLS connections that trust one certificate. Immutable.
///
/// No session is resumed: the engines do not know which server they talk to, so each new connection
/// is a full handshake.
public final class TlsClient {
    private final SSLContext context;
    private final Supplier<QuicTls> quic;

    /// @param certificate PEM file
    public TlsClient(Path certificate) throws IOException {
        this(certificate, null);
    }

    /// @param handshakes of QUIC, if they are others
    public TlsClient(Path certificate, @Nullable Supplier<QuicTls> handshakes) throws IOException {
        X509Certificate trusted;
        try (InputStream in = Files.newInputStream(certificate)) {
            trusted =
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509").generateCertificate(in);
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry("lab", trusted);
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
        } catch (GeneralSecurityException e) {
            throw new IOException(certificate + ": " + e.getMessage(), e);
        }
        X509Certificate known = trusted;
        SecureRandom random = new SecureRandom();
        quic = handshakes == null ? () -> new QuicTlsClient(known, random) : handshakes;
    }

    /// The same for connections that block.
    public SSLSocketFactory sockets() {
        return context.getSocketFactory();
    }

    /// @param http2 whether HTTP/2 is asked for by ALPN
    public SSLEngine engine(boolean http2) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        if (http2) {
            parameters.setApplicationProtocols(new String[] {"h2"});
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    /// A handshake of QUIC, with `h3` by ALPN.
    public QuicTls quic() {
        return quic.get();
    }
}
