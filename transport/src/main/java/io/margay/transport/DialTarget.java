package io.margay.transport;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What to connect to, and how. Immutable.
///
/// @param address an internet address, whose name may be unresolved, or that of a Unix socket
/// @param timeout for the connection with its TLS handshake, for each address of a name
/// @param tls TLS settings, or null for plain text
public record DialTarget(SocketAddress address, Duration timeout, @Nullable TlsClientConfig tls) {
    public DialTarget {
        Objects.requireNonNull(address, "address");
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("the timeout must be positive");
        }
    }
}
