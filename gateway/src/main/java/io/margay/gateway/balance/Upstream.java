package io.margay.gateway.balance;

import io.margay.gateway.config.UpstreamConfig;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A group of peers at work. Thread-safe.
public final class Upstream {
    private final UpstreamConfig config;
    private final List<Peer> peers;
    private final AtomicInteger turn = new AtomicInteger();

    public Upstream(UpstreamConfig config) {
        this.config = config;
        peers = config.peers().stream().map(Peer::new).toList();
    }

    /// As configured.
    public UpstreamConfig config() {
        return config;
    }

    /// Its peers, in the order of the configuration.
    public List<Peer> peers() {
        return peers;
    }

    /// A peer chosen for a request.
    ///
    /// @param sticky whether the request's session led to it
    public record Choice(Peer peer, boolean sticky) {}

    /// Chooses a peer, or returns null when none can take the request.
    public @Nullable Choice choose(Selection selection) {
        for (int i = 0; i < peers.size(); i++) {
            Peer peer = peers.get(Math.floorMod(turn.getAndIncrement(), peers.size()));
            if (!selection.tried().contains(peer)) {
                return new Choice(peer, false);
            }
        }
        return null;
    }
}
