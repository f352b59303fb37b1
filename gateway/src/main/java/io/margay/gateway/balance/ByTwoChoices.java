package io.margay.gateway.balance;

/// Two peers are drawn at random, and the one with fewer requests in flight for its weight is
/// chosen. Unlike the least busy of all it does not make many servers that each know their own
/// requests alone choose the same peer ("power of two choices", Mitzenmacher 2001).
enum ByTwoChoices implements Chooser {
    INSTANCE;

    @Override
    public Peer choose(Candidates candidates) {
        return ofTwo(candidates);
    }
}
