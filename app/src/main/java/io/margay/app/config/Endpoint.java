package io.margay.app.config;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where a listener listens. Immutable.
///
/// @param host name or address; `*` means every address of the machine; that of a Unix socket is
///   this machine
/// @param port 0 to 65535; 0 lets the system choose, and is that of a Unix socket
/// @param socket absolute path of a Unix socket; null = an address and a port
public record Endpoint(String host, int port, @Nullable Path socket) {
    /// The host of an endpoint that was given as a port alone: nothing is reachable from outside
    /// unless asked for.
    public static final String LOOPBACK = "127.0.0.1";

    /// What a Unix socket begins with.
    public static final String UNIX = "unix:";

    private static final int PATH_BYTES_MAX = 107; // sockaddr_un, with the NUL at its end.

    public Endpoint {
        if (host.isEmpty()) {
            throw new IllegalArgumentException("the address is empty");
        }
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("a port is a number from 0 to 65535");
        }
        if (socket != null && !socket.isAbsolute()) {
            throw new IllegalArgumentException("the path of a Unix socket begins with /");
        }
        if (socket != null
                && socket.toString().getBytes(StandardCharsets.UTF_8).length > PATH_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "the path of a Unix socket has " + PATH_BYTES_MAX + " bytes at most");
        }
    }

    /// An address and a port.
    public Endpoint(String host, int port) {
        this(host, port, null);
    }

    /// A Unix socket.
    public static Endpoint unix(Path socket) {
        return new Endpoint(LOOPBACK, 0, socket);
    }

    /// Reads `PORT`, `ADDRESS:PORT`, `[IPv6]:PORT`, `*:PORT` or `unix:/PATH`.
    public static Endpoint parse(String text) {
        if (text.startsWith(UNIX)) {
            return unix(Path.of(text.substring(UNIX.length())));
        }
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
        InetSocketAddress address = inet();
        return !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    }

    /// The address to bind; looks a name up.
    public SocketAddress address() {
        return socket == null ? inet() : UnixDomainSocketAddress.of(socket);
    }

    private InetSocketAddress inet() {
        return host.equals("*") ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    }

    /// What a listener is called by, among those of its kind: its port, or its file.
    public String key() {
        return socket == null ? String.valueOf(port) : socket.toString();
    }

    /// Whether another endpoint cannot be bound beside this one.
    public boolean meets(Endpoint other) {
        return (socket == null && other.socket == null)
                ? port != 0 && port == other.port
                : socket != null && socket.equals(other.socket);
    }

    @Override
    public String toString() {
        if (socket != null) {
            return UNIX + socket;
        }
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
