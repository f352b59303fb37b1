package io.margay.gateway.balance;

import io.margay.gateway.config.BalanceMethod;
import java.util.List;
import java.util.random.RandomGenerator;

/// How a method of balancing chooses among the peers that may be chosen; who may be is the
/// dialect's affair ([Balancing]). Each peer has a load value, to which the method adds the peer's
/// multiplier, the smaller the greater its weight; usually the peer with the least value is chosen.
///
/// Stateless: what is known stands in the peers. Called with the upstream's lock held, but for
/// [#counts] and [#countsBytes].
sealed interface Chooser
        permits ByRequests,
                ByTraffic,
                ByBusyness,
                BySessions,
                ByNext,
                ByTwoChoices,
                ByLeastTime,
                ByHash {
    static Chooser of(BalanceMethod method) {
        return switch (method) {
            case REQUESTS -> ByRequests.INSTANCE;
            case TRAFFIC -> ByTraffic.INSTANCE;
            case BUSYNESS -> ByBusyness.INSTANCE;
            case SESSIONS -> BySessions.INSTANCE;
            case NEXT -> ByNext.INSTANCE;
            case TWO_CHOICES -> ByTwoChoices.INSTANCE;
            case LEAST_TIME -> ByLeastTime.INSTANCE;
            case HASH -> ByHash.INSTANCE;
        };
    }

    /// Whether a request adds the multiplier to the load value of its peer.
    default boolean counts(boolean newSession) {
        return false;
    }

    /// Whether each byte of a request does.
    default boolean countsBytes() {
        return false;
    }

    /// Whether it asks how fast peers answer.
    default boolean measures() {
        return false;
    }

    /// What one more request costs a peer, where two are drawn.
    default double cost(Peer peer, long now) {
        return (peer.busy() + 1) / peer.weight();
    }

    /// The cheaper of two candidates drawn at random.
    default Peer ofTwo(Candidates candidates) {
        int size = candidates.size();
        if (size == 1) {
            return candidates.get(0);
        }
        RandomGenerator random = candidates.random();
        int one = random.nextInt(size);
        int other = random.nextInt(size - 1);
        Peer first = candidates.get(one);
        Peer second = candidates.get(other < one ? other : other + 1);
        long now = candidates.now();
        return cost(second, now) < cost(first, now) ? second : first;
    }

    /// What is compared.
    default long load(Peer peer) {
        return peer.load;
    }

    /// What is left of a load value after intervals of maintenance.
    ///
    /// @param intervals at most 63
    default long aged(long load, int intervals) {
        return load >> intervals;
    }

    /// Maintenance that looks at all load values.
    default void level(List<Peer> peers) {}

    /// One of the candidates, of which there is at least one: the first of the least load.
    default Peer choose(Candidates candidates) {
        Peer best = candidates.get(0);
        for (int i = 1; i < candidates.size(); i++) {
            Peer peer = candidates.get(i);
            if (load(peer) < load(best)) {
                best = peer;
            }
        }
        return best;
    }

    /// The same as mod_proxy_balancer does it, whose load values are urgencies; methods that it
    /// does not have choose alike everywhere.
    default Peer chooseAsModProxy(Candidates candidates) {
        return choose(candidates);
    }
}
