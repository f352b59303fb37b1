package io.margay.gateway.protocol;

import io.margay.server.forwarded.NodeAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Writes IP addresses as text, and remembers those that were written lately. Confined to its loop.
public final class AddressText {
    /// How many are remembered, a power of two.
    private static final int KEPT = 64;

    private final @Nullable InetAddress[] addresses = new @Nullable InetAddress[KEPT];
    private final @Nullable String[] texts = new @Nullable String[KEPT];

    public AddressText() {}

    /// The address without its port and scope.
    ///
    /// @param otherwise for a socket that has none
    public String of(SocketAddress address, String otherwise) {
        if (!(address instanceof InetSocketAddress inet)) {
            return otherwise;
        }
        InetAddress ip = inet.getAddress();
        if (ip == null) {
            return inet.getHostString();
        }
        int hash = ip.hashCode();
        int slot = (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (KEPT - 1);
        String known = texts[slot];
        if (known == null || !ip.equals(addresses[slot])) {
            known = of(inet);
            addresses[slot] = ip;
            texts[slot] = known;
        }
        return known;
    }

    /// The address without its port and scope, written anew.
    public static String of(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        if (ip == null) {
            return address.getHostString();
        }
        return NodeAddress.text(ip);
    }
}
