package io.margay.gateway.peer;

import io.margay.transport.Dialer;
import org.jspecify.annotations.Nullable;

/// The connections of one loop to one peer, and the requests that wait for one. Confined to the
/// loop; [ConnectionCount] counts over all loops.
public sealed interface PeerPool permits SerialPool, Http2Pool {
    /// Of the loop. For any thread.
    Dialer dialer();

    /// Finds a connection, or opens one, or has the request wait until one is given back.
    ///
    /// @param waiter told of the connection later, where there is none now
    /// @param fresh whether it must be one that did not idle
    /// @param probe whether one that idled is looked at before it is given out
    /// @return a connection, or null where `waiter` is told
    @Nullable PeerExchange acquire(ConnectionWaiter waiter, boolean fresh, boolean probe);

    /// There may be room for connections: called on this loop when one was closed anywhere.
    void feed();

    /// Gives up a connection, because another loop needs one.
    void spare();

    /// Whether requests wait and there is no connection at all. For any thread.
    boolean isStarving();

    /// The peer is not used any more, but for requests that have chosen it already: what idles is
    /// closed, and other connections when their requests end.
    void retire();
}
