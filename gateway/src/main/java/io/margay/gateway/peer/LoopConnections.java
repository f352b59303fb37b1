package io.margay.gateway.peer;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.protocol.AddressText;
import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.Dialer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// All connections of one loop to peers, pool by pool. Confined to the loop, but for [#dialer].
public final class LoopConnections {
    private final PeerLoop loop;
    private final Function<Peer, ConnectionCount> counts;
    private final Map<Peer, PeerPool> pools = new HashMap<>();

    LoopConnections(PeerLoop loop, Function<Peer, ConnectionCount> counts) {
        this.loop = loop;
        this.counts = counts;
    }

    /// The loop's dialer.
    public Dialer dialer() {
        return loop.dialer();
    }

    /// The bounds that hold for all peers.
    public PeerLimits limits() {
        return loop.limits();
    }

    /// Nanoseconds, as [System#nanoTime].
    public LongSupplier clock() {
        return loop.clock();
    }

    /// Now, by the clock.
    public long nanoTime() {
        return loop.nanoTime();
    }

    /// What clients and peers may make the gateway hold.
    public MemoryBudget memory() {
        return loop.memory();
    }

    /// An array for a piece of content, lent for one step.
    public byte[] content() {
        return loop.content();
    }

    /// Texts of addresses.
    public AddressText addresses() {
        return loop.addresses();
    }

    /// The connections to one peer.
    public PeerPool pool(Peer peer) {
        PeerPool pool = pools.get(peer);
        if (pool == null) {
            ConnectionCount count = counts.apply(peer);
            pool =
                    peer.config().address().scheme().isHttp2()
                            ? new Http2Pool(loop, peer, count)
                            : new SerialPool(loop, peer, count);
            count.add(pool);
            if (peer.departed()) {
                pool.retire(); // for this request alone
            } else {
                pools.put(peer, pool);
            }
        }
        return pool;
    }

    void retire(Peer peer) {
        PeerPool pool = pools.remove(peer);
        if (pool != null) {
            pool.retire();
        }
    }
}
