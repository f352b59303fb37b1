package io.margay.gateway.balance;

import java.util.List;

/// Requests without a session count, and counts do not age: maintenance takes the least one from
/// all, so that new sessions go round for good.
enum ByNext implements Chooser {
    INSTANCE;

    @Override
    public boolean counts(boolean newSession) {
        return newSession;
    }

    @Override
    public long aged(long load, int intervals) {
        return load;
    }

    @Override
    public void level(List<Peer> peers) {
        long least = Long.MAX_VALUE;
        for (Peer peer : peers) {
            if (Balancing.takesAll(peer, Selection.FIRST)) {
                least = Math.min(least, peer.load);
            }
        }
        if (least != Long.MAX_VALUE) {
            for (Peer peer : peers) {
                peer.load = Math.max(0, peer.load - least);
            }
        }
    }

    @Override
    public Peer chooseAsModProxy(Candidates candidates) {
        return ByRequests.INSTANCE.chooseAsModProxy(candidates);
    }
}
