package io.margay.transport.tls.certificate;

import io.margay.transport.TlsClientConfig;
import io.margay.transport.TlsSetupException;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Whom outbound connections believe. Stateless.
public final class ClientTrust {
    private ClientTrust() {}

    /// A context that believes those whom the configuration names.
    ///
    /// @throws TlsSetupException when the file of authorities cannot be used
    public static SSLContext context(TlsClientConfig config) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trustManagers(config), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new TlsSetupException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static TrustManager @Nullable [] trustManagers(TlsClientConfig config)
            throws GeneralSecurityException, IOException {
        if (!config.verify()) {
            return new TrustManager[] {new TrustEverybody()};
        }
        Path file = config.trust();
        if (file == null) {
            return null;
        }
        return Authorities.trustManagers(Pem.certificates(file));
    }

    /// Believes everybody: the configuration has switched the check off.
    private static final class TrustEverybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
