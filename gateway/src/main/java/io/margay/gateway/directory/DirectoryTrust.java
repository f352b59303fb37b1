package io.margay.gateway.directory;

import io.margay.transport.TlsClientConfig;
import io.margay.transport.TlsSetupException;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/// The TLS sockets of a directory whose certificate is judged by authorities of its own, or by
/// nobody; the file of authorities is read again when it has changed. Thread-safe.
final class DirectoryTrust {
    private final Directory.Tls tls;
    private volatile @Nullable Known known;

    private record Known(FileTime time, long bytes, SSLSocketFactory sockets) {}

    DirectoryTrust(Directory.Tls tls) {
        this.tls = tls;
    }

    /// @return null = those of the JDK
    @Nullable SSLSocketFactory sockets() throws IOException {
        Path file = tls.trust();
        if (file == null && tls.verify()) {
            return null;
        }
        FileTime time = file == null ? FileTime.fromMillis(0) : Files.getLastModifiedTime(file);
        long bytes = file == null ? 0 : Files.size(file);
        Known before = known;
        if (before != null && before.time.equals(time) && before.bytes == bytes) {
            return before.sockets;
        }
        try {
            SSLSocketFactory made =
                    Transports.clientContext(new TlsClientConfig("", tls.verify(), file, List.of()))
                            .getSocketFactory();
            known = new Known(time, bytes, made);
            return made;
        } catch (TlsSetupException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
