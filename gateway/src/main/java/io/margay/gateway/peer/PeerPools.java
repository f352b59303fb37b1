package io.margay.gateway.peer;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.transport.Dialer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The connections to all peers, loop by loop. Thread-safe. They end with the loops; what is not
/// configured any more is closed by [#retire].
public final class PeerPools {
    private final PeerLimits limits;
    private final Map<Dialer, LoopPeers> loops = new ConcurrentHashMap<>();
    private final Map<Peer, PeerShare> shares = new ConcurrentHashMap<>();

    public PeerPools(PeerLimits limits) {
        this.limits = limits;
    }

    /// What holds for connections to peers.
    public PeerLimits limits() {
        return limits;
    }

    /// What belongs to a loop.
    public LoopPeers on(Dialer dialer) {
        LoopPeers known = loops.get(dialer);
        return known != null
                ? known
                : loops.computeIfAbsent(dialer, loop -> new LoopPeers(loop, limits, this::share));
    }

    private PeerShare share(Peer peer) {
        return shares.computeIfAbsent(peer, key -> new PeerShare());
    }

    /// Open connections to a peer.
    public int open(Peer peer) {
        PeerShare share = shares.get(peer);
        return share == null ? 0 : share.opened();
    }

    /// Closes the connections of an upstream that idle; the others follow when their requests end.
    public void retire(Upstream upstream) {
        for (Peer peer : upstream.peers()) {
            shares.remove(peer);
            loops.values().forEach(loop -> loop.dialer().execute(() -> loop.retire(peer)));
        }
    }
}
