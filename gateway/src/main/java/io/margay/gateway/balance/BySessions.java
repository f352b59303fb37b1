package io.margay.gateway.balance;

/// Requests without a session count, each of which may begin one.
enum BySessions implements Chooser {
    INSTANCE;

    @Override
    public boolean counts(boolean newSession) {
        return newSession;
    }

    @Override
    public Peer chooseAsModProxy(Candidates candidates) {
        return ByRequests.INSTANCE.chooseAsModProxy(candidates);
    }
}
