package io.margay.gateway.peer;

import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.transport.DialTarget;
import io.margay.transport.TlsClientConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is dialled for a peer. Stateless.
public final class PeerTargets {
    /// In the place of a timeout that is not set: no system waits longer.
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private PeerTargets() {}

    /// The target of a peer's connections. A name stays unresolved, so that it is looked up for
    /// each connection.
    public static DialTarget of(PeerConfig peer) {
        PeerAddress address = peer.address();
        Path socket = address.socket();
        Duration connect = peer.timeouts().connect();
        return new DialTarget(
                socket == null ? inet(address) : UnixDomainSocketAddress.of(socket),
                connect.isZero() ? LONGEST : connect,
                address.scheme().isSecure() ? tls(peer) : null);
    }

    private static SocketAddress inet(PeerAddress address) {
        try {
            return new InetSocketAddress(InetAddress.ofLiteral(address.host()), address.port());
        } catch (IllegalArgumentException e) {
            return InetSocketAddress.createUnresolved(address.host(), address.port());
        }
    }

    /// How a peer behind TLS is spoken to.
    public static TlsClientConfig tls(PeerConfig peer) {
        PeerConfig.Tls tls = peer.tls();
        @Nullable String name = tls.serverName();
        return new TlsClientConfig(
                name == null ? peer.address().host() : name,
                tls.verify(),
                tls.trust(),
                List.of(peer.address().scheme().isHttp2() ? "h2" : "http/1.1"),
                tls.certificates(),
                tls.unverified());
    }
}
