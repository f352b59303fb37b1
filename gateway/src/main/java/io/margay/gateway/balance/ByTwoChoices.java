package io.margay.gateway.balance;

import java.util.random.RandomGenerator;

/// Two peers are drawn at random, and the one with fewer requests in flight for its weight is
/// chosen. Unlike the least busy of all it does not make many servers that each know their own
/// requests alone choose the same peer ("power of two choices", Mitzenmacher 2001).
enum ByTwoChoices implements Chooser {
    INSTANCE;

    @Override
    public Peer choose(Candidates candidates) {
        int size = candidates.size();
        if (size == 1) {
            return candidates.get(0);
        }
        RandomGenerator random = candidates.random();
        int one = random.nextInt(size);
        int other = random.nextInt(size - 1);
        Peer first = candidates.get(one);
        Peer second = candidates.get(other < one ? other : other + 1);
        return loadWithOneMore(second) < loadWithOneMore(first) ? second : first;
    }

    private static double loadWithOneMore(Peer peer) {
        return (peer.busy() + 1) / peer.weight();
    }
}
