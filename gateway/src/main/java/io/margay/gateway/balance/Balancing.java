package io.margay.gateway.balance;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.UpstreamConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One dialect's rules of choosing a peer and of judging what became of it. Every method is called
/// with the upstream's lock held but for [#chooseAlone] and [#isNews], and none waits.
sealed interface Balancing permits ModJkBalancing, ModProxyBalancing {
    /// A peer that fails so many requests in a row, and answers none between, is in error while
    /// others can take its requests. The share of requests that may be tried once more would else
    /// be used up by one peer.
    int FAILED_IN_ROW_MAX = 5;

    /// The peer for a request; load values and states are those after the choice.
    Selection.@Nullable Choice choose(UpstreamConfig config, Selection selection, long now);

    /// Chooses the only peer if nothing that is guarded by the lock has to be looked at or changed
    /// for it; else null. Called without the lock.
    Selection.@Nullable Choice chooseAlone(UpstreamConfig config, Selection selection, Peer only);

    /// Whether the end of an attempt has to be judged. Called without the lock, which on many
    /// processors is what requests would wait for.
    boolean isNews(UpstreamConfig config, Peer peer, Outcome outcome);

    /// Judges the end of an attempt; the peer's count of requests in flight is already without it.
    void ended(UpstreamConfig config, Peer peer, Outcome outcome, long bytes, long now);

    /// A round of maintenance.
    ///
    /// @param intervals maintenance intervals that have passed since the last one, at least 1
    void maintain(UpstreamConfig config, long intervals, long now);

    /// Weights have changed.
    void weigh();

    /// A peer has come to the others, which have load values already.
    void joined(Peer peer);

    /// Load values begin anew.
    void restart();

    /// Takes a peer out of error so that a request tries it.
    void recover(Peer peer);

    /// Whether a request that belongs to the peer's sessions may be given to it.
    static boolean takesSessions(Peer peer, Selection selection) {
        return peer.state().usable()
                && peer.healthy()
                && !peer.upstream.leavesOut(peer, true)
                && selection.activation(peer) != Activation.STOPPED
                && !selection.tried().contains(peer);
    }

    /// Whether any request may be given to it.
    static boolean takesAll(Peer peer, Selection selection) {
        return peer.state().usable()
                && peer.healthy()
                && !peer.upstream.leavesOut(peer, false)
                && selection.activation(peer) == Activation.ACTIVE
                && !selection.tried().contains(peer);
    }

    /// Counts a request that a peer has failed.
    ///
    /// @return whether it has failed so many that the others take its requests
    static boolean failsTooMany(List<Peer> peers, Peer peer) {
        if (peer.failedOneMore() < FAILED_IN_ROW_MAX) {
            return false;
        }
        for (Peer other : peers) {
            if (!other.equals(peer) && takesAll(other, Selection.FIRST)) {
                return true;
            }
        }
        return false;
    }

    /// The part of a session id behind the first separator, or null when there is none.
    static @Nullable String route(String session, String separators) {
        for (int i = 0; i < session.length(); i++) {
            if (separators.indexOf(session.charAt(i)) >= 0) {
                return session.substring(i + 1);
            }
        }
        return null;
    }

    /// The session ids that count for this request.
    static List<String> sessions(UpstreamConfig config, Selection selection) {
        String forced = selection.forcedRoute();
        if (!config.sticky().enabled() || selection.ignoreSessions()) {
            return List.of();
        }
        if (forced != null) {
            String separators = config.sticky().separator();
            return List.of((separators.isEmpty() ? "." : separators.substring(0, 1)) + forced);
        }
        return selection.sessions();
    }
}
