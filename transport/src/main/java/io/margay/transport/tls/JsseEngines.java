package io.margay.transport.tls;

import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import io.margay.transport.tls.certificate.CertifiedKey;
import io.margay.transport.tls.certificate.ClientAuthorities;
import io.margay.transport.tls.certificate.ClientVerifier;
import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/// Engines of the JDK. Thread-safe.
///
/// New certificates go into the key manager and leave the sessions for resumption alone; new trust
/// makes a new context, so that nobody resumes what is no longer trusted.
final class JsseEngines implements TlsEngines {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    /// Sessions that can be resumed at most, and for how long.
    private static final int SESSIONS_MAX = 20_000;

    private static final int SESSION_SECONDS = 3600;

    /// Whether a context staples responses; the JDK reads it when one is made.
    private static final String STAPLES = "jdk.tls.server.enableStatusRequestExtension";

    private final TlsConfig config;
    private final SniKeys keys;
    private volatile ClientAuthorities authorities;

    /// Whether responses are stapled to some of the certificates.
    private volatile boolean staples;

    private volatile SSLContext context;

    JsseEngines(TlsConfig config, List<CertifiedKey> keys, ClientAuthorities authorities) {
        this.config = config;
        this.keys = new SniKeys(keys);
        this.staples = staples(keys);
        this.authorities = authorities;
        this.context = build(authorities);
        checkProtocols();
        checkSuites();
        if (config.certificates().stream().anyMatch(c -> c.ocsp() != null)) {
            LOG.log(
                    Level.WARNING,
                    "OCSP responses of files are stapled by OpenSSL only: the JDK's TLS leaves them"
                            + " out; stapling: all has them fetched");
        }
    }

    private SSLContext build(ClientAuthorities authorities) {
        try {
            SSLContext made = staples ? stapling() : SSLContext.getInstance("TLS");
            TrustManager[] trust =
                    config.clients().auth() == TlsConfig.ClientAuth.NONE
                            ? new TrustManager[0]
                            : new TrustManager[] {new ClientVerifier(authorities)};
            made.init(new KeyManager[] {keys}, trust, null);
            made.getServerSessionContext().setSessionCacheSize(SESSIONS_MAX);
            made.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
            return made;
        } catch (GeneralSecurityException e) {
            throw new TlsSetupException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private boolean staples(List<CertifiedKey> of) {
        return config.stapling().from() != null
                && of.stream().anyMatch(key -> key.isStapled(config.stapling().which()));
    }

    /// Whether handshakes ask for responses, which may wait.
    boolean staples() {
        return staples;
    }

    /// A context that staples what it gets where [TlsConfig.Stapling.Responses] has the JDK look
    /// for it. Others of this process are left as they are.
    private SSLContext stapling() throws NoSuchAlgorithmException {
        TlsConfig.Stapling.Responses from = config.stapling().from();
        if (from != null) {
            from.serveJdk();
        }
        synchronized (JsseEngines.class) {
            String before = System.getProperty(STAPLES);
            System.setProperty(STAPLES, "true");
            try {
                return SSLContext.getInstance("TLS");
            } finally {
                if (before == null) {
                    System.clearProperty(STAPLES);
                } else {
                    System.setProperty(STAPLES, before);
                }
            }
        }
    }

    private void checkProtocols() {
        List<String> supported = List.of(context.getSupportedSSLParameters().getProtocols());
        for (String protocol : config.protocols()) {
            if (!supported.contains(protocol)) {
                throw new TlsSetupException(
                        "unknown TLS version '" + protocol + "'; there are TLSv1.3 and TLSv1.2");
            }
        }
    }

    private void checkSuites() {
        List<String> supported = List.of(context.getSupportedSSLParameters().getCipherSuites());
        for (String suite : config.cipherSuites()) {
            if (!supported.contains(suite)) {
                throw TlsSetupException.unknownSuite(suite);
            }
        }
    }

    @Override
    public SSLEngine engine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(config.protocols().toArray(new String[0]));
        parameters.setUseCipherSuitesOrder(!config.cipherSuites().isEmpty());
        parameters.setCipherSuites(
                config.cipherSuites().isEmpty()
                        ? safe(parameters.getCipherSuites())
                        : config.cipherSuites().toArray(new String[0]));
        if (!config.applicationProtocols().isEmpty()) {
            parameters.setApplicationProtocols(
                    config.applicationProtocols().toArray(new String[0]));
        }
        switch (config.clients().auth()) {
            case NONE -> {}
            case WANT -> parameters.setWantClientAuth(true);
            case NEED -> parameters.setNeedClientAuth(true);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    /// Without the suites that encrypt in CBC mode (Lucky Thirteen, CVE-2013-0169), and without
    /// those whose keys are exchanged in a finite field, which costs the server most
    /// (CVE-2002-20001).
    private static String[] safe(String[] suites) {
        return Arrays.stream(suites)
                .filter(suite -> !suite.contains("_CBC_") && !suite.startsWith("TLS_DHE_"))
                .toArray(String[]::new);
    }

    @Override
    public void keys(List<CertifiedKey> fresh) {
        keys.swap(fresh);
        boolean wanted = staples(fresh);
        if (wanted != staples) {
            staples = wanted;
            trust(authorities);
        }
    }

    @Override
    public void trust(ClientAuthorities fresh) {
        authorities = fresh;
        context = build(fresh);
    }
}
