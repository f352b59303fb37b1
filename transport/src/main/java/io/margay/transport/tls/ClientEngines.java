package io.margay.transport.tls;

import io.margay.transport.TlsClientConfig;
import io.margay.transport.TlsSetupException;
import io.margay.transport.tls.certificate.ClientTrust;
import io.margay.transport.tls.certificate.FileStamp;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/// Makes the engines of outbound TLS connections of one configuration, whatever the name of the
/// server. Thread-safe.
final class ClientEngines {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    /// Sessions with servers that can be resumed at most, and for how long. One holds the
    /// certificates that its server has shown, and the JDK takes no more of these than 32 KiB.
    static final int SESSIONS_MAX = 1000;

    static final int SESSION_SECONDS = 3600;

    /// When it was last asked for, by the clock of [OutboundEngines].
    volatile long used;

    private final TlsClientConfig config;
    private volatile SSLContext context;

    /// From before the files were read. Guarded by this.
    private Map<Path, FileStamp> stamps;

    /// @throws TlsSetupException when a file cannot be used
    ClientEngines(TlsClientConfig config) {
        this.config = config;
        stamps = stamps();
        context = context();
    }

    private SSLContext context() {
        SSLContext made = ClientTrust.context(config);
        made.getClientSessionContext().setSessionCacheSize(SESSIONS_MAX);
        made.getClientSessionContext().setSessionTimeout(SESSION_SECONDS);
        return made;
    }

    private Map<Path, FileStamp> stamps() {
        Map<Path, FileStamp> found = FileStamp.ofCertificates(config.certificates());
        Path trust = config.trust();
        if (trust != null) {
            found.putAll(FileStamp.of(List.of(trust)));
        }
        return found;
    }

    /// Reads the files again if one has changed, for connections to come. To be called from time to
    /// time.
    synchronized void check() {
        Map<Path, FileStamp> seen = stamps();
        if (seen.equals(stamps)) {
            return;
        }
        stamps = seen;
        try {
            // A context of its own, so that no session is resumed that began with another key.
            context = context();
            LOG.log(Level.INFO, "files of TLS with members read again: " + seen.keySet());
        } catch (TlsSetupException e) {
            LOG.log(
                    Level.ERROR,
                    "files of TLS with members not renewed, the old ones stay in use: "
                            + e.getMessage());
        }
    }

    /// An engine for one connection. It knows the server's name, so that sessions are resumed.
    SSLEngine engine(String name) {
        SSLEngine engine = context.createSSLEngine(name, -1);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        if (config.checksName()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (isName(name)) {
            parameters.setServerNames(List.of(new SNIHostName(name)));
        }
        if (!config.applicationProtocols().isEmpty()) {
            parameters.setApplicationProtocols(
                    config.applicationProtocols().toArray(new String[0]));
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    /// Whether it is a DNS name and no address literal (RFC 6066 §3).
    private static boolean isName(String name) {
        if (name.isEmpty() || name.indexOf(':') >= 0) {
            return false;
        }
        char last = name.charAt(name.length() - 1);
        return last < '0' || last > '9';
    }
}
