package io.margay.app.config;

import java.net.InetSocketAddress;
import java.util.Objects;

/// Where a listener listens. Immutable.
///
/// @param host name or address; `*` means every address of the machine
/// @param port 0 to 65535; 0 lets the system choose
public record Endpoint(String host, int port) {
    /// The host of an endpoint that was given as a port alone: nothing is reachable from outside
    /// unless asked for.
    public static final String LOOPBACK = "127.0.0.1";

    public Endpoint {
        Objects.requireNonNull(host, "host");
        if (host.isEmpty()) {
            throw new IllegalArgumentException("the address is empty");
        }
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("a port is a number from 0 to 65535");
        }
    }

    /// Reads `PORT`, `ADDRESS:PORT`, `[IPv6]:PORT` or `*:PORT`.
    public static Endpoint parse(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        if (!port.matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException("\"" + port + "\" is not a port number");
        }
        String host = colon < 0 ? LOOPBACK : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "an IPv6 address is written in brackets: [::1]:8080");
        }
        return new Endpoint(host, Integer.parseInt(port));
    }

    /// Whether only this machine can reach it.
    public boolean isLoopback() {
        InetSocketAddress address = address();
        return !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    }

    /// The address to bind; looks a name up.
    public InetSocketAddress address() {
        return host.equals("*") ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
