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
public record ProxyHeader(
        @Nullable InetSocketAddress client,
        @Nullable InetSocketAddress server,
        @Nullable ClientTls tls) {
    /// Nothing is told.
    public static final ProxyHeader NOTHING = new ProxyHeader(null, null, null);

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
