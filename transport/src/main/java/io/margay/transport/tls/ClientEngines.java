package io.margay.transport.tls;

import io.margay.transport.TlsClientConfig;
import io.margay.transport.TlsSetupException;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Makes the engines of outbound TLS connections of one configuration. Thread-safe.
final class ClientEngines {
    private final TlsClientConfig config;
    private final SSLContext context;

    /// @throws TlsSetupException when the file of authorities cannot be used
    ClientEngines(TlsClientConfig config) {
        this.config = config;
        try {
            context = SSLContext.getInstance("TLS");
            context.init(null, trustManagers(config), null);
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
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        List<X509Certificate> authorities = Pem.certificates(file);
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    /// An engine for one connection. It knows the server's name, so that sessions are resumed.
    SSLEngine engine() {
        String name = config.serverName();
        SSLEngine engine = context.createSSLEngine(name, -1);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        if (config.verify()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (isName(name)) {
            parameters.setServerNames(List.of(new SNIHostName(name)));
        }
        if (!config.applicationProtocols().isEmpty()) {
            parameters.setApplicationProtocols(
                    config.applicationProtocols().toArray(new String[0]));
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    /// Whether it is a DNS name and no address literal (RFC 6066 §3).
    private static boolean isName(String name) {
        if (name.isEmpty() || name.indexOf(':') >= 0) {
            return false;
        }
        char last = name.charAt(name.length() - 1);
        return last < '0' || last > '9';
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
