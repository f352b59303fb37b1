package io.margay.server.directory;

import io.margay.transport.TlsClientConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/// The TLS sockets of a directory whose certificate is judged by authorities of its own, or by
/// nobody, or which asks for one; the files are read again when they have changed. Thread-safe.
final class DirectoryTrust {
    private final DirectoryAccess.Tls tls;
    private volatile @Nullable Known known;

    private record Known(List<Object> stamp, SSLSocketFactory sockets) {}

    DirectoryTrust(DirectoryAccess.Tls tls) {
        this.tls = tls;
    }

    /// @return null = those of the JDK
    @Nullable SSLSocketFactory sockets() throws IOException {
        if (!tls.isSpecial()) {
            return null;
        }
        List<Object> stamp = stamp();
        Known before = known;
        if (before != null && before.stamp.equals(stamp)) {
            return before.sockets;
        }
        DirectoryAccess.Own own = tls.own();
        List<TlsConfig.Certificate> certificates =
                own == null ? List.of() : List.of(new TlsConfig.Certificate(own.cert(), own.key()));
        try {
            SSLSocketFactory made =
                    Transports.clientContext(
                                    new TlsClientConfig(
                                            "", tls.verify(), tls.trust(), List.of(), certificates))
                            .getSocketFactory();
            known = new Known(stamp, made);
            return made;
        } catch (TlsSetupException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private List<Object> stamp() throws IOException {
        List<Object> stamp = new ArrayList<>();
        stamp(tls.trust(), stamp);
        DirectoryAccess.Own own = tls.own();
        if (own != null) {
            stamp(own.cert(), stamp);
            stamp(own.key(), stamp);
        }
        return stamp;
    }

    private static void stamp(@Nullable Path file, List<Object> stamp) throws IOException {
        if (file != null) {
            stamp.add(Files.getLastModifiedTime(file));
            stamp.add(Files.size(file));
        }
    }
}
