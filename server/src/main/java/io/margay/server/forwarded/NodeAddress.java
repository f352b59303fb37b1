package io.margay.server.forwarded;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The address of a client as front ends write it: `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`,
/// `[2001:db8::1]:4711`. Stateless; no name server is ever asked.
final class NodeAddress {
    private static final Pattern NODE =
            Pattern.compile(
                    "(?:([0-9]{1,3}(?:\\.[0-9]{1,3}){3})|\\[([0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)])"
                            + "(?::([0-9]{1,5}))?");

    private static final Pattern BARE_6 =
            Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    private static final int PORT_MAX = 65_535;

    /// An IPv6 address that ends with one of IPv4, in brackets and with a port. What is longer is
    /// none, and is not looked at: the patterns would try each of its colons with each other.
    private static final int TEXT_MAX = 53;

    private NodeAddress() {}

    /// Reads one; null for what is none, such as `unknown`.
    ///
    /// @param port of a client for which none is told
    static @Nullable InetSocketAddress of(String text, int port) {
        if (text.length() > TEXT_MAX) {
            return null;
        }
        Matcher node = NODE.matcher(text);
        if (!node.matches()) {
            return BARE_6.matcher(text).matches() ? address(text, port) : null;
        }
        String digits = node.group(3);
        int told = digits == null ? port : Integer.parseInt(digits);
        String address = node.group(1) == null ? node.group(2) : node.group(1);
        return told > PORT_MAX || address == null ? null : address(address, told);
    }

    private static @Nullable InetSocketAddress address(String literal, int port) {
        try {
            return new InetSocketAddress(InetAddress.ofLiteral(literal), port);
        } catch (IllegalArgumentException e) {
            return null; // digits that are no address
        }
    }
}
