package io.margay.transport.tls.certificate;

import io.margay.transport.TlsClientConfig;
import io.margay.transport.TlsClientConfig.Unverified;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/// Whom outbound connections believe, and what they show of themselves. Stateless.
public final class ClientTrust {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private ClientTrust() {}

    /// A context that believes those whom the configuration names, and shows its certificates.
    ///
    /// @throws TlsSetupException when a file cannot be used
    public static SSLContext context(TlsClientConfig config) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers(config), trustManagers(config), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new TlsSetupException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static KeyManager @Nullable [] keyManagers(TlsClientConfig config)
            throws GeneralSecurityException, IOException {
        if (config.certificates().isEmpty()) {
            return null;
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        char[] noPassword = new char[0];
        for (TlsConfig.Certificate one : config.certificates()) {
            CertifiedKey key = CertifiedKey.read(one);
            X509Certificate own = key.chain().getFirst();
            if (own.getNotAfter().toInstant().isBefore(Instant.now())) {
                LOG.log(
                        Level.WARNING,
                        one + ": the certificate has expired, it is shown to members");
            }
            store.setKeyEntry(
                    "key-" + store.size(),
                    key.key(),
                    noPassword,
                    path(key.chain()).toArray(new X509Certificate[0]));
        }
        KeyManagerFactory factory =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, noPassword);
        return factory.getKeyManagers();
    }

    /// The first certificate, and those above it in their order: keystores take nothing else.
    private static List<X509Certificate> path(List<X509Certificate> chain) {
        List<X509Certificate> path = new ArrayList<>();
        X509Certificate next = chain.getFirst();
        while (next != null) {
            path.add(next);
            X500Principal issuer = next.getIssuerX500Principal();
            next =
                    chain.stream()
                            .filter(one -> one.getSubjectX500Principal().equals(issuer))
                            .filter(one -> !path.contains(one))
                            .findFirst()
                            .orElse(null);
        }
        return path;
    }

    private static TrustManager @Nullable [] trustManagers(TlsClientConfig config)
            throws GeneralSecurityException, IOException {
        if (!config.verify()) {
            return new TrustManager[] {
                config.unverified() == Unverified.ANY ? new TrustEverybody() : new TrustItself()
            };
        }
        Path file = config.trust();
        if (file == null) {
            return null;
        }
        return Authorities.trustManagers(Pem.certificates(file));
    }

    /// Believes everybody: the configuration has switched the check off.
    private static class TrustEverybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type)
                throws CertificateException {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /// Believes a certificate within its dates, whoever has signed it; the JDK looks whether it is
    /// for the server, where the connection asks for that.
    private static final class TrustItself extends TrustEverybody {
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            itself(chain).checkServerTrusted(first(chain), type, socket);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            itself(chain).checkServerTrusted(first(chain), type, engine);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            itself(chain).checkServerTrusted(first(chain), type);
        }

        private static X509Certificate[] first(X509Certificate[] chain) {
            return new X509Certificate[] {chain[0]};
        }

        /// Who trusts the first certificate of a chain, and no other.
        private static X509ExtendedTrustManager itself(X509Certificate[] chain)
                throws CertificateException {
            chain[0].checkValidity();
            try {
                for (TrustManager one : Authorities.trustManagers(List.of(chain[0]))) {
                    if (one instanceof X509ExtendedTrustManager found) {
                        return found;
                    }
                }
            } catch (GeneralSecurityException | IOException e) {
                throw new CertificateException("cannot be checked: " + e.getMessage(), e);
            }
            throw new CertificateException("cannot be checked");
        }
    }
}
