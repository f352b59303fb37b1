package io.margay.gateway.proxy;

import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.testkit.ScriptedPeer;
import java.time.Duration;

/// Scripted peers as members of an upstream. Stateless.
final class Peers {
    private static final Duration REPLY = Duration.ofSeconds(10);

    private Peers() {}

    static PeerConfig http(ScriptedPeer peer, String name) {
        return http(peer, name, REPLY);
    }

    static PeerConfig http(ScriptedPeer peer, String name, Duration reply) {
        return of(peer, PeerScheme.HTTP, name, reply);
    }

    /// The same as a peer that is asked by HTTP/2.
    static PeerConfig http2(ScriptedPeer peer, String name) {
        return http2(peer, name, REPLY);
    }

    static PeerConfig http2(ScriptedPeer peer, String name, Duration reply) {
        return of(peer, PeerScheme.H2C, name, reply);
    }

    private static PeerConfig of(
            ScriptedPeer peer, PeerScheme scheme, String name, Duration reply) {
        return PeerConfig.of(name, PeerAddress.of(scheme, "127.0.0.1", peer.port()))
                .withTimeouts(
                        new PeerConfig.Timeouts(
                                Duration.ofSeconds(2), reply, reply, Duration.ofMillis(300)));
    }
}
