package io.margay.server.acme;

import io.margay.server.exchange.Exchange;
import io.margay.transport.KeySource;
import io.margay.transport.TlsConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// What certificate authorities are answered while orders are pending: files by their token
/// (HTTP-01) and certificates by their name (TLS-ALPN-01). Thread-safe; empty but while an
/// authority is asked for a certificate.
public final class AcmeChallenges implements TlsConfig.Challenges {
    private static final String PATH = "/.well-known/acme-challenge/";
    private static final int OK = 200;

    private final int max;
    private final Map<String, String> files = new ConcurrentHashMap<>();
    private final Map<String, KeySource.Keys> certificates = new ConcurrentHashMap<>();
    private volatile boolean filesPending;
    private volatile boolean certificatesPending;

    public AcmeChallenges(AcmeLimits limits) {
        max = limits.pendingMax();
    }

    /// Answers a token with its key authorization until it is removed.
    ///
    /// @return false when too many are pending
    public synchronized boolean addFile(String token, String authorization) {
        if (files.size() >= max) {
            return false;
        }
        files.put(token, authorization);
        filesPending = true;
        return true;
    }

    public synchronized void removeFile(String token) {
        files.remove(token);
        filesPending = !files.isEmpty();
    }

    /// Shows a certificate for a host name until it is removed.
    ///
    /// @return false when too many are pending
    public synchronized boolean addCertificate(String host, KeySource.Keys shown) {
        if (certificates.size() >= max) {
            return false;
        }
        certificates.put(host.toLowerCase(Locale.ROOT), shown);
        certificatesPending = true;
        return true;
    }

    public synchronized void removeCertificate(String host) {
        certificates.remove(host.toLowerCase(Locale.ROOT));
        certificatesPending = !certificates.isEmpty();
    }

    @Override
    public boolean isPending() {
        return certificatesPending;
    }

    @Override
    public KeySource.@Nullable Keys of(String host) {
        return certificates.get(host);
    }

    /// The key authorization of a token, or null.
    public @Nullable String file(String token) {
        return files.get(token);
    }

    /// Answers a request for a pending token. It comes before all that hosts are configured with.
    ///
    /// @return false when it is none
    public boolean answers(Exchange exchange) throws IOException {
        if (!filesPending) {
            return false;
        }
        String path = exchange.request().target().rawPath();
        String found = path.startsWith(PATH) ? file(path.substring(PATH.length())) : null;
        if (found == null) {
            return false;
        }
        byte[] file = found.getBytes(StandardCharsets.US_ASCII);
        exchange.status(OK);
        exchange.fields().set("Content-Type", "application/octet-stream");
        exchange.fields().set("Cache-Control", "no-store");
        exchange.end(file, 0, file.length);
        return true;
    }
}
