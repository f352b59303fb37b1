package io.margay.gateway.balance;

/// Requests count as long as they last.
enum ByBusyness implements Chooser {
    INSTANCE;

    @Override
    public long load(Peer peer) {
        return peer.busy() * peer.multiplier;
    }

    /// `bybusyness`: the fewest requests in flight, whatever the weights; urgency decides between
    /// equals.
    @Override
    public Peer chooseAsModProxy(Candidates candidates) {
        long total = candidates.urge();
        Peer best = candidates.get(0);
        for (int i = 1; i < candidates.size(); i++) {
            Peer peer = candidates.get(i);
            if (before(peer, best)) {
                best = peer;
            }
        }
        best.load -= total;
        return best;
    }

    private static boolean before(Peer peer, Peer best) {
        int busy = peer.busy();
        int least = best.busy();
        return busy < least || (busy == least && peer.load > best.load);
    }
}
