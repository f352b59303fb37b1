package io.margay.gateway.balance;

/// Two peers are drawn at random, and the one is chosen that is expected to answer sooner: by its
/// response time of late ([PeerTimes]) and its requests in flight for its weight. A peer that has
/// become slow gets few requests while its first slow answer is awaited, and after it (Finagle's
/// "peak EWMA").
enum ByLeastTime implements Chooser {
    INSTANCE;

    /// What a peer costs that has requests and has not answered any: more than any that has.
    private static final double UNKNOWN_NANOS = 1e18;

    @Override
    public boolean measures() {
        return true;
    }

    @Override
    public double cost(Peer peer, long now) {
        int busy = peer.busy();
        double time = peer.times.cost(now, peer.busyHere() > 0);
        double each = time > 0 ? time : busy == 0 ? 0 : UNKNOWN_NANOS;
        return each * Chooser.super.cost(peer, now);
    }

    @Override
    public Peer choose(Candidates candidates) {
        return ofTwo(candidates);
    }
}
