package io.margay.transport;

import io.margay.transport.unix.SocketAccess;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How to open a server socket. Immutable.
///
/// @param address where to listen; port 0 lets the system choose. A Unix socket tells no addresses
///   of its clients, which count as this machine then
/// @param backlog length of the accept queue, at least 1
/// @param connectionsMax open connections at most; further ones wait in the accept queue
/// @param addresses how many of them one client may hold, or null for no limit
/// @param tls TLS settings, or null for plain text
/// @param proxyProtocol the header that comes before TLS or plain text, or null for none
/// @param descriptor of a socket that listens at the address already, which the transport owns from
///   then on; [#NO_DESCRIPTOR] has it open one. On Linux alone
/// @param access who may connect to a Unix socket
@RecordBuilder
public record ListenerConfig(
        SocketAddress address,
        int backlog,
        int connectionsMax,
        @Nullable AddressLimit addresses,
        @Nullable TlsConfig tls,
        @Nullable ProxyProtocol proxyProtocol,
        int descriptor,
        SocketAccess access)
        implements ListenerConfigBuilder.With {
    /// No socket is open yet.
    public static final int NO_DESCRIPTOR = -1;

    public ListenerConfig {
        Objects.requireNonNull(address, "address");
        if (backlog < 1 || connectionsMax < 1) {
            throw new IllegalArgumentException("backlog and connectionsMax must be at least 1");
        }
        Objects.requireNonNull(access, "access");
    }

    /// Where a Unix socket is open to its user and group.
    public ListenerConfig(
            SocketAddress address,
            int backlog,
            int connectionsMax,
            @Nullable AddressLimit addresses,
            @Nullable TlsConfig tls,
            @Nullable ProxyProtocol proxyProtocol,
            int descriptor) {
        this(
                address,
                backlog,
                connectionsMax,
                addresses,
                tls,
                proxyProtocol,
                descriptor,
                SocketAccess.defaults());
    }

    /// Plain text with a backlog of 4096 and at most 20 000 connections.
    public static ListenerConfig of(SocketAddress address) {
        return new ListenerConfig(address, 4096, 20_000, null, null, null, NO_DESCRIPTOR);
    }
}
