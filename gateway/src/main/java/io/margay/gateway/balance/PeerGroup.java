package io.margay.gateway.balance;

import io.margay.gateway.attempt.AdaptiveLimit;
import io.margay.gateway.config.UpstreamConfig;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a peer tells and asks the upstream that it belongs to. Thread-safe.
interface PeerGroup {
    /// As configured, with what has changed at run time.
    UpstreamConfig config();

    long now();

    /// What is known of a new member's answers; null where nobody judges them.
    Ejection.@Nullable Seen judged();

    /// How many requests a new member may have; null where answers do not tell.
    @Nullable AdaptiveLimit limiting();

    /// Whether a member is left out because it answers worse than the others.
    ///
    /// @param ofSession whether it is asked for a request of one of its sessions
    boolean leavesOut(Peer peer, boolean ofSession);

    /// @param onPeer requests on the peer, with this one
    void begin(Peer peer, int onPeer);

    void end(Peer peer, Outcome outcome, long bytes);

    void changed(boolean weights, boolean all);

    void checked(Peer peer, boolean healthy);

    void recover(Peer peer);

    void reset(Peer peer);

    /// Reads what the lock guards.
    Long read(Supplier<Long> value);
}
