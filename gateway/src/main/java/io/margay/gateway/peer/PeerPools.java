package io.margay.gateway.peer;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.PeerLimits;
import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.Dialer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/// The connections to all peers, loop by loop. Thread-safe. They end with the loops; what is not
/// configured any more is closed by [#retire].
public final class PeerPools {
    private final PeerLimits limits;
    private final MemoryBudget memory;
    private final LongSupplier clock;
    private final Map<Dialer, LoopConnections> loops = new ConcurrentHashMap<>();
    private final Map<Peer, ConnectionCount> counts = new ConcurrentHashMap<>();

    /// With the clock of the system, and memory that is counted only.
    public PeerPools(PeerLimits limits) {
        this(limits, MemoryBudget.UNBOUNDED, System::nanoTime);
    }

    /// @param memory what clients and peers may make the gateway hold
    /// @param clock nanoseconds, as [System#nanoTime]
    public PeerPools(PeerLimits limits, MemoryBudget memory, LongSupplier clock) {
        this.limits = limits;
        this.memory = memory;
        this.clock = clock;
    }

    /// What holds for connections to peers.
    public PeerLimits limits() {
        return limits;
    }

    /// What clients and peers may make the gateway hold.
    public MemoryBudget memory() {
        return memory;
    }

    /// What belongs to a loop.
    public LoopConnections on(Dialer dialer) {
        LoopConnections known = loops.get(dialer);
        return known != null ? known : loops.computeIfAbsent(dialer, this::make);
    }

    private LoopConnections make(Dialer dialer) {
        return new LoopConnections(new PeerLoop(dialer, limits, clock, memory), this::count);
    }

    private ConnectionCount count(Peer peer) {
        return peer.departed()
                ? new ConnectionCount()
                : counts.computeIfAbsent(peer, key -> new ConnectionCount());
    }

    /// Open connections to a peer.
    public int open(Peer peer) {
        ConnectionCount count = counts.get(peer);
        return count == null ? 0 : count.opened();
    }

    /// Closes the connections of an upstream that idle; the others follow when their requests end.
    public void retire(Upstream upstream) {
        upstream.peers().forEach(this::retire);
    }

    /// The same for one peer, which is not used any more.
    public void retire(Peer peer) {
        counts.remove(peer);
        loops.values().forEach(loop -> loop.dialer().execute(() -> loop.retire(peer)));
    }
}
