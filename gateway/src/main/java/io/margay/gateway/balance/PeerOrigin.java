package io.margay.gateway.balance;

/// How a peer has come to its upstream.
public enum PeerOrigin {
    /// It stands in the configuration.
    CONFIGURED,

    /// A source of members has named it; it leaves when the source does not name it any more.
    DISCOVERED,

    /// It was added by hand while the upstream was at work.
    ADDED
}
