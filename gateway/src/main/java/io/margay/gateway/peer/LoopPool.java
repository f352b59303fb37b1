package io.margay.gateway.peer;

/// The connections of one loop to one peer, and the requests that wait for one. Confined to the
/// loop; [PeerShare] counts over all loops.
sealed interface LoopPool permits PeerPool, Http2Pool {
    LoopPeers loop();

    /// Finds a connection, or opens one, or waits until one is given back.
    ///
    /// @param fresh whether it must be one that did not idle
    /// @param probe whether one that idled is looked at before it is given out
    void acquire(Acquirer acquirer, boolean fresh, boolean probe);

    /// There may be room for connections: called on this loop when one was closed anywhere.
    void feed();

    /// Gives up a connection, because another loop is in want.
    void spare();

    /// Whether it waits without having any connection. For any thread.
    boolean isStarving();

    /// The peer is not configured any more.
    void retire();
}
