package io.margay.transport;

import java.net.SocketAddress;
import java.util.Objects;
import java.util.function.Predicate;

/// That each connection of a listener begins with a header of the PROXY protocol, version 1 or 2,
/// in which the load balancer in front tells whose connection it passes on. Immutable.
///
/// @param trusted who is believed; connections of others are reset
/// @param exempt who sends no header, and is a client itself
public record ProxyProtocol(
        Predicate<SocketAddress> trusted, Predicate<SocketAddress> exempt, ProxyLimits limits) {
    public ProxyProtocol {
        Objects.requireNonNull(trusted, "trusted");
        Objects.requireNonNull(exempt, "exempt");
        Objects.requireNonNull(limits, "limits");
    }

    /// Where everybody sends a header.
    public ProxyProtocol(Predicate<SocketAddress> trusted, ProxyLimits limits) {
        this(trusted, _ -> false, limits);
    }
}
