package io.margay.app.acme;

import io.margay.server.Extensions;
import io.margay.server.acme.StapleClient;
import io.margay.server.acme.StapleClientProvider;
import io.margay.server.acme.StapleLimits;
import io.margay.server.acme.StapleReading;
import io.margay.transport.TlsConfig;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// The OCSP responses that are stapled to handshakes. What fetches them is opened when a listener
/// first shows a certificate that is to have one. Thread-safe.
public final class StapledResponses implements TlsConfig.Stapling.Responses, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(StapledResponses.class.getName());

    private final StapleLimits limits;
    private @Nullable Path folder;
    private boolean looked;
    private volatile @Nullable StapleClient client;

    StapledResponses(StapleLimits limits) {
        this.limits = limits;
    }

    /// Where responses are kept from now on; what has been opened stays where it is.
    public synchronized void keepIn(Path work) {
        folder = work.resolve("ocsp");
    }

    @Override
    public void follow(Object owner, List<List<X509Certificate>> chains, Duration patience) {
        StapleClient current = chains.isEmpty() ? client : client();
        if (current != null) {
            current.follow(owner, chains, patience);
        }
    }

    private synchronized @Nullable StapleClient client() {
        Path at = folder;
        if (client == null && !looked && at != null) {
            looked = true;
            client =
                    ServiceLoader.load(StapleClientProvider.class, Extensions.loader())
                            .findFirst()
                            .map(one -> one.open(limits, at))
                            .orElse(null);
            if (client == null) {
                LOG.log(
                        Level.WARNING,
                        "no OCSP responses are stapled: margay-acme is not on the class path");
            }
        }
        return client;
    }

    @Override
    public void serveJdk() {
        StapleClient current = client;
        if (current != null) {
            current.serveJdk();
        }
    }

    @Override
    public byte @Nullable [] of(X509Certificate certificate) {
        StapleClient current = client;
        return current == null ? null : current.of(certificate);
    }

    /// How it stands about each certificate.
    public List<StapleReading> read() {
        StapleClient current = client;
        return current == null ? List.of() : current.read();
    }

    @Override
    public synchronized void close() {
        looked = true;
        StapleClient current = client;
        if (current != null) {
            current.close();
        }
    }
}
