package io.margay.transport;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.util.function.Predicate;

/// How many connections of a listener one client may hold. Immutable.
///
/// @param connectionsMax open connections of one address, or of one network of 64 bits with IPv6,
///   which is what one client has there; further ones are reset
/// @param exempt whose connections are as many as they like, such as other front ends; asked on the
///   threads that accept
public record AddressLimit(int connectionsMax, Predicate<SocketAddress> exempt) {
    /// An address of IPv4 among the networks of IPv6, where nothing is assigned.
    private static final long IPV4 = 1L << 32;

    private static final int NETWORK_BYTES = 8;

    public AddressLimit {
        if (connectionsMax < 1) {
            throw new IllegalArgumentException("connectionsMax must be at least 1");
        }
    }

    /// The number by which the connections of a client are counted: of its address, or with IPv6 of
    /// its network.
    public static long client(InetAddress address) {
        byte[] bytes = address.getAddress();
        int count = address instanceof Inet6Address ? NETWORK_BYTES : bytes.length;
        long number = 0;
        for (int i = 0; i < count; i++) {
            number = (number << Byte.SIZE) | (bytes[i] & 0xff);
        }
        return address instanceof Inet6Address ? number : IPV4 | number;
    }
}
