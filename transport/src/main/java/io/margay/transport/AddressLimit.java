package io.margay.transport;

import java.net.SocketAddress;
import java.util.function.Predicate;

/// How many connections of a listener one client may hold. Immutable.
///
/// @param connectionsMax open connections of one address, or of one network of 64 bits with IPv6,
///   which is what one client has there; further ones are reset
/// @param exempt whose connections are as many as they like, such as other front ends; asked on the
///   threads that accept
public record AddressLimit(int connectionsMax, Predicate<SocketAddress> exempt) {
    public AddressLimit {
        if (connectionsMax < 1) {
            throw new IllegalArgumentException("connectionsMax must be at least 1");
        }
    }
}
