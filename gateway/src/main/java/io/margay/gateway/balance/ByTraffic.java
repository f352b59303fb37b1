package io.margay.gateway.balance;

/// Bytes of content count, in both directions.
enum ByTraffic implements Chooser {
    INSTANCE;

    @Override
    public boolean countsBytes() {
        return true;
    }

    /// `bytraffic`: the fewest bytes per weight since the counters began.
    @Override
    public Peer chooseAsModProxy(Candidates candidates) {
        Peer best = candidates.get(0);
        for (int i = 1; i < candidates.size(); i++) {
            Peer peer = candidates.get(i);
            if (traffic(peer) < traffic(best)) {
                best = peer;
            }
        }
        return best;
    }

    private static long traffic(Peer peer) {
        return peer.bytesOut() / peer.factor() + peer.bytesIn() / peer.factor();
    }
}
