package io.margay.gateway.discovery;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// Whom the JDK's HTTP client believes when it asks about members. Stateless.
public final class TrustedAuthorities {
    private TrustedAuthorities() {}

    /// A context that believes the authorities of a PEM file.
    ///
    /// @param file null = the JDK's authorities
    /// @throws IOException when it cannot be read; its message says so
    public static SSLContext context(@Nullable Path file) throws IOException {
        try {
            if (file == null) {
                return SSLContext.getDefault();
            }
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            try (InputStream in = Files.newInputStream(file)) {
                int number = 0;
                for (Certificate one :
                        CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                    store.setCertificateEntry("authority-" + number++, one);
                }
            }
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(file + " is not a file of certificates: " + e.getMessage(), e);
        }
    }
}
