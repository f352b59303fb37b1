package io.margay.server.directory;

import javax.net.SocketFactory;

/// Where the JDK's LDAP client, which is told the name of a class, gets its sockets for `ldaps`:
/// those of the directory that is being connected to. Stateless.
public final class DirectorySockets {
    private static final ScopedValue<SocketFactory> CURRENT = ScopedValue.newInstance();

    private DirectorySockets() {}

    /// Called by the JDK's LDAP client. It would connect again by itself, where nobody says any
    /// more who is trusted; that fails, and another connection is opened.
    public static SocketFactory getDefault() {
        return CURRENT.orElseThrow(() -> new IllegalStateException("no directory is connected to"));
    }

    /// Connects by these sockets.
    static <T, X extends Throwable> T with(
            SocketFactory sockets, ScopedValue.CallableOp<T, X> connecting) throws X {
        return ScopedValue.where(CURRENT, sockets).call(connecting);
    }
}
