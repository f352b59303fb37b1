package io.margay.gateway.protocol;

import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerLimits;

/// Chooses the protocol of a connection by the scheme of the peer's address. Stateless.
public final class PeerProtocols {
    private PeerProtocols() {}

    /// The protocol of a new connection that carries one request at a time.
    ///
    /// @param addresses of the connection's loop
    public static PeerProtocol of(PeerConfig peer, PeerLimits limits, AddressText addresses) {
        return switch (peer.address().scheme()) {
            case HTTP, HTTPS -> new Http1Protocol(limits);
            case AJP -> new AjpProtocol(peer, limits, addresses);
            case FCGI -> new FastCgiProtocol(peer);
            case H2, H2C ->
                    throw new IllegalStateException("HTTP/2 carries several requests at a time");
        };
    }
}
