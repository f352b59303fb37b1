package io.margay.gateway.balance;

/// Every request counts the same, whoever sends it.
enum ByRequests implements Chooser {
    INSTANCE;

    @Override
    public boolean counts(boolean newSession) {
        return true;
    }

    /// `byrequests`: every candidate is given its weight in urgency, the most urgent is chosen, and
    /// the sum of all is taken from it.
    @Override
    public Peer chooseAsModProxy(Candidates candidates) {
        long total = candidates.urge();
        Peer best = candidates.get(0);
        for (int i = 1; i < candidates.size(); i++) {
            Peer peer = candidates.get(i);
            if (peer.load > best.load) {
                best = peer;
            }
        }
        best.load -= total;
        return best;
    }
}
