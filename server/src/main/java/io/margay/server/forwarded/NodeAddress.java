package io.margay.server.forwarded;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The address of a client as front ends write it: `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`,
/// `[2001:db8::1]:4711`. Stateless; no name server is ever asked.
///
/// What is longer than an address can be is none, and is not looked at: clients send such texts,
/// and the patterns would try each of their colons.
public final class NodeAddress {
    private static final Pattern LITERAL =
            Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    private static final Pattern WITH_PORT =
            Pattern.compile("(?:([0-9.]+)|\\[([0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)])(?::([0-9]{1,5}))?");

    private static final int PORT_MAX = 65_535;

    /// An IPv6 address that ends with one of IPv4.
    private static final int LITERAL_MAX = 45;

    /// The same in brackets and with a port.
    private static final int TEXT_MAX = LITERAL_MAX + 8;

    private NodeAddress() {}

    /// Reads an address that stands without brackets and port; null for what is none, such as
    /// `unknown`.
    public static @Nullable InetAddress literal(String text) {
        if (text.length() > LITERAL_MAX || !LITERAL.matcher(text).matches()) {
            return null;
        }
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            return null; // digits that are no address
        }
    }

    /// An address without its scope, as httpd and RFC 5952 write it.
    public static String text(InetAddress address) {
        return address instanceof Inet6Address
                ? shortest(address.getAddress())
                : address.getHostAddress();
    }

    /// The first longest run of groups that are 0 is `::`.
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

    /// Reads one; null for what is none.
    ///
    /// @param port of a client for which none is told
    public static @Nullable InetSocketAddress of(String text, int port) {
        if (text.length() > TEXT_MAX) {
            return null;
        }
        Matcher node = WITH_PORT.matcher(text);
        if (!node.matches()) {
            InetAddress bare = literal(text);
            return bare == null ? null : new InetSocketAddress(bare, port);
        }
        String written = node.group(1) == null ? node.group(2) : node.group(1);
        InetAddress address = written == null ? null : literal(written);
        String digits = node.group(3);
        int told = digits == null ? port : Integer.parseInt(digits);
        return address == null || told > PORT_MAX ? null : new InetSocketAddress(address, told);
    }
}
