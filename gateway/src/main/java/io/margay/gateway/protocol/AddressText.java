package io.margay.gateway.protocol;

import java.net.Inet6Address;
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
        return ip instanceof Inet6Address ? shortest(ip.getAddress()) : ip.getHostAddress();
    }

    /// As httpd and RFC 5952 write it: the first longest run of groups that are 0 is `::`.
    private static String shortest(byte[] octets) {
        int from = 8;
        int length = 1;
        for (int i = 0; i < 8; i++) {
            int end = i;
            while (end < 8 && group(octets, end) == 0) {
                end++;
            }
            if (end - i > length) {
                from = i;
                length = end - i;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            if (i == from) {
                text.append("::");
                i += length - 1;
            } else {
                boolean separated = text.isEmpty() || text.charAt(text.length() - 1) == ':';
                text.append(separated ? "" : ":").append(Integer.toHexString(group(octets, i)));
            }
        }
        return text.toString();
    }

    private static int group(byte[] octets, int index) {
        return (octets[2 * index] & 0xff) << 8 | (octets[2 * index + 1] & 0xff);
    }
}
