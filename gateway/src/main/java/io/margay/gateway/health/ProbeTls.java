package io.margay.gateway.health;

import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.peer.PeerTargets;
import io.margay.transport.TlsClientConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/// TLS for a check, by what is configured for the peer. Stateless.
final class ProbeTls {
    private ProbeTls() {}

    static SSLSocket over(SocketChannel channel, PeerConfig peer) throws IOException {
        TlsClientConfig tls = PeerTargets.tls(peer);
        SSLSocket socket =
                (SSLSocket)
                        Transports.clientContext(tls)
                                .getSocketFactory()
                                .createSocket(
                                        channel.socket(),
                                        tls.serverName(),
                                        peer.address().port(),
                                        true);
        SSLParameters parameters = socket.getSSLParameters();
        boolean http2 = peer.address().scheme().isHttp2();
        if (http2) {
            parameters.setApplicationProtocols(new String[] {"h2"});
        }
        if (tls.checksName()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        if (http2 && !"h2".equals(socket.getApplicationProtocol())) {
            socket.close();
            throw new IOException("the member does not agree to HTTP/2");
        }
        return socket;
    }
}
