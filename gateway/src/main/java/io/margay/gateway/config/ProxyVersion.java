package io.margay.gateway.config;

/// Whether a peer is told of the client by the PROXY protocol before each request, and how.
public enum ProxyVersion {
    NONE,

    /// A line of text.
    V1,

    /// The binary form, which also says how the client speaks TLS.
    V2
}
