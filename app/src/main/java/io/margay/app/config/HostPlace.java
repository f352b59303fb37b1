package io.margay.app.config;

import io.margay.server.forwarded.NodeAddress;
import java.net.InetAddress;

/// A place at which requests of a host arrive. Immutable.
///
/// @param host an address, of IPv6 in its shortest form without brackets; `*` for every one
/// @param port 0 for every port
public record HostPlace(String host, int port) {
    /// Reads `PORT`, `*:PORT`, `ADDRESS:PORT`, `ADDRESS:*`.
    public static HostPlace parse(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        String host = colon < 0 ? "*" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        if (host.isEmpty() || !port.matches("\\*|[0-9]{1,5}")) {
            throw new IllegalArgumentException("\"" + text + "\" is not an address");
        }
        InetAddress literal = NodeAddress.literal(host);
        if (literal != null) {
            host = literal.isAnyLocalAddress() ? "*" : NodeAddress.text(literal);
        }
        int number = port.equals("*") ? 0 : Integer.parseInt(port);
        if (number > 65_535 || (number == 0 && host.equals("*"))) {
            throw new IllegalArgumentException("a port is a number from 1 to 65535");
        }
        return new HostPlace(host, number);
    }

    /// What [#parse] takes.
    @Override
    public String toString() {
        String shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return shown + ":" + (port == 0 ? "*" : String.valueOf(port));
    }
}
