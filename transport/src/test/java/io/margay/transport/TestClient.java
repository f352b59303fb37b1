package io.margay.transport;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/// Clients made of the JDK's sockets.
final class TestClient {
    private static final int TIMEOUT_MILLIS = 20_000;

    private TestClient() {}

    /// Trusts everybody; these tests are about moving bytes.
    private record Credulous() implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    static SSLContext tlsContext(KeyManager... keys) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                keys.length == 0 ? null : keys,
                new TrustManager[] {new Credulous()},
                new SecureRandom());
        return context;
    }

    static Socket plain(SocketAddress address) throws IOException {
        Socket socket = new Socket();
        socket.connect(address, TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    static SSLSocket tls(SSLContext context, SocketAddress address) throws IOException {
        Socket socket = plain(address);
        SSLSocket secured =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(socket, "localhost", socket.getPort(), true);
        return secured;
    }
}
