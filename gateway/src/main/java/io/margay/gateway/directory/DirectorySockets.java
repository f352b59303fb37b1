package io.margay.gateway.directory;

import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;

/// Where the JDK's LDAP client, which is told the name of a class, gets its sockets for `ldaps`:
/// those of the directory that is being connected to. Stateless.
public final class DirectorySockets {
    private static final ScopedValue<SocketFactory> CURRENT = ScopedValue.newInstance();

    private DirectorySockets() {}

    /// Called by the JDK's LDAP client.
    public static SocketFactory getDefault() {
        return CURRENT.isBound() ? CURRENT.get() : SSLSocketFactory.getDefault();
    }

    /// Connects by these sockets.
    static <T, X extends Throwable> T with(
            SocketFactory sockets, ScopedValue.CallableOp<T, X> connecting) throws X {
        return ScopedValue.where(CURRENT, sockets).call(connecting);
    }
}
