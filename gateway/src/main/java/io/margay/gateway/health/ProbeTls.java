package io.margay.gateway.health;

import io.margay.gateway.config.PeerConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// TLS for a check, by what is configured for the peer. Stateless.
final class ProbeTls {
    private ProbeTls() {}

    static SSLSocket over(SocketChannel channel, PeerConfig peer)
            throws IOException, GeneralSecurityException {
        PeerConfig.Tls tls = peer.tls();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trustManagers(tls), null);
        String named = tls.serverName();
        String name = named == null ? peer.address().host() : named;
        SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(channel.socket(), name, peer.address().port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        boolean http2 = peer.address().scheme().isHttp2();
        if (http2) {
            parameters.setApplicationProtocols(new String[] {"h2"});
        }
        if (tls.verify()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        if (http2 && !"h2".equals(socket.getApplicationProtocol())) {
            socket.close();
            throw new IOException("the peer does not agree to HTTP/2");
        }
        return socket;
    }

    private static TrustManager @Nullable [] trustManagers(PeerConfig.Tls tls)
            throws IOException, GeneralSecurityException {
        if (!tls.verify()) {
            return new TrustManager[] {new TrustEverybody()};
        }
        Path file = tls.trust();
        if (file == null) {
            return null;
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(file)) {
            int number = 0;
            for (Certificate each :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("authority-" + number++, each);
            }
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
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
