package io.margay.gateway.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where a peer listens and what it speaks there. Immutable.
///
/// @param host name or address literal without brackets; empty with a socket file
/// @param port 1 to 65535, or 0 where a peer is named whose port is not yet known (it then starts
///   stopped); 0 with a socket file
/// @param socket the file of a Unix socket, or null
public record PeerAddress(PeerScheme scheme, String host, int port, @Nullable Path socket) {
    public PeerAddress {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("a port is 0 to 65535, not " + port);
        }
        if (host.isEmpty() == (socket == null)) {
            throw new IllegalArgumentException("a member has either a host or a socket file");
        }
    }

    /// A peer at a host and port.
    public static PeerAddress of(PeerScheme scheme, String host, int port) {
        return new PeerAddress(scheme, host, port, null);
    }

    /// A peer behind a Unix socket.
    public static PeerAddress of(PeerScheme scheme, Path socket) {
        return new PeerAddress(scheme, "", 0, socket);
    }

    /// Whether its port is not yet known.
    public boolean isIncomplete() {
        return socket == null && port == 0;
    }

    /// The URL that stands for it in `margay.yaml`, in logs and on status pages.
    @Override
    public String toString() {
        if (socket != null) {
            return scheme.word() + "+unix:" + socket;
        }
        String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return scheme.word() + "://" + name + ":" + port;
    }
}
