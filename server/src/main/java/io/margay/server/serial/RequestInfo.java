package io.margay.server.serial;

import io.margay.server.exchange.TlsInfo;
import java.net.SocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is known of a request beside its head: from the connection itself, or from the front end
/// that sent it.
public interface RequestInfo {
    /// `http` or `https`.
    String scheme();

    SocketAddress remote();

    SocketAddress local();

    @Nullable TlsInfo tls();

    @Nullable Object attribute(String name);

    /// Names of the attributes that the application may see.
    default Set<String> attributeNames() {
        return Set.of();
    }

    /// What the front end whose connection this is calls the request; null when it is none.
    default @Nullable String requestId() {
        return null;
    }

    /// The user that a front end has authenticated, or null.
    @Nullable String remoteUser();
}
