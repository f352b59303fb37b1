package io.margay.transport;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// What a load balancer has told of a connection by the PROXY protocol. Immutable.
///
/// @param client the address of the client; null when the load balancer speaks for itself, as in
///   its health checks, or does not know it: then the addresses are those of the connection
/// @param server the address that the client has connected to; null together with `client`
/// @param tls how the client speaks TLS to the load balancer; null when it does not
/// @param details what else it says
public record ProxyHeader(
        @Nullable InetSocketAddress client,
        @Nullable InetSocketAddress server,
        @Nullable ClientTls tls,
        Details details) {
    /// Nothing is told.
    public static final ProxyHeader NOTHING = new ProxyHeader(null, null, null, Details.NONE);

    /// What a load balancer may say beside addresses and TLS, with version 2; it is told to
    /// applications and logs, and nothing is decided by it.
    ///
    /// @param authority the host that the client has named, as in its TLS handshake
    /// @param applicationProtocol the ALPN name of what is spoken
    /// @param uniqueId what the load balancer calls the connection; in hex where it is no text
    public record Details(
            @Nullable String authority,
            @Nullable String applicationProtocol,
            @Nullable String uniqueId) {
        /// Nothing.
        public static final Details NONE = new Details(null, null, null);
    }

    /// The client's address.
    ///
    /// @param told null = nothing
    /// @param own that of the connection
    public static SocketAddress clientOf(@Nullable ProxyHeader told, SocketAddress own) {
        return told == null || told.client == null ? own : told.client;
    }

    /// The address that the client has connected to.
    ///
    /// @param told null = nothing
    /// @param own that of the connection
    public static SocketAddress serverOf(@Nullable ProxyHeader told, SocketAddress own) {
        return told == null || told.server == null ? own : told.server;
    }

    /// The client's TLS. Names in certificates are left out: nobody is logged in by them.
    ///
    /// @param protocol such as `TLSv1.3`; empty when it is not told
    /// @param cipherSuite as the load balancer calls it; empty when it is not told
    public record ClientTls(String protocol, String cipherSuite) {}
}
