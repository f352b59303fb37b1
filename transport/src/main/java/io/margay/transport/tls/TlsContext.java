package io.margay.transport.tls;

import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// What the handshakes of one listener use, and its renewal when files change. Thread-safe.
///
/// New certificates go into the key manager and leave the sessions for resumption alone; new trust
/// makes a new context, so that nobody resumes what is no longer trusted.
final class TlsContext {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    /// Sessions that can be resumed at most, and for how long.
    private static final int SESSIONS_MAX = 20_000;

    private static final int SESSION_SECONDS = 3600;

    private final TlsConfig config;
    private final SniKeys keys;
    private volatile SSLContext context;
    private List<X509Certificate> trusted;
    private Map<Path, Stamp> stamps;

    /// What shows that a file has changed.
    private record Stamp(long size, long modifiedMillis, @Nullable Object fileKey) {}

    TlsContext(TlsConfig config) {
        this.config = config;
        this.stamps = stamps();
        this.keys = new SniKeys(readKeys());
        this.trusted = readTrust();
        this.context = build(trusted);
        checkProtocols();
    }

    private List<CertifiedKey> readKeys() {
        List<CertifiedKey> read = new ArrayList<>();
        for (TlsConfig.Certificate certificate : config.certificates()) {
            read.add(CertifiedKey.read(certificate.cert(), certificate.key()));
        }
        return read;
    }

    private List<X509Certificate> readTrust() {
        Path file = config.trust();
        if (file != null) {
            return Pem.certificates(file);
        }
        if (config.clientAuth() != TlsConfig.ClientAuth.NONE) {
            throw new TlsSetupException(
                    "client certificates are asked for, but no file of trusted authorities is set");
        }
        return List.of();
    }

    private SSLContext build(List<X509Certificate> authorities) {
        try {
            SSLContext made = SSLContext.getInstance("TLS");
            made.init(new KeyManager[] {keys}, trustManagers(authorities), null);
            made.getServerSessionContext().setSessionCacheSize(SESSIONS_MAX);
            made.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
            return made;
        } catch (GeneralSecurityException | IOException e) {
            throw new TlsSetupException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static TrustManager[] trustManagers(List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        if (authorities.isEmpty()) {
            return new TrustManager[0];
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
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

    /// An engine for one handshake.
    SSLEngine engine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(config.protocols().toArray(new String[0]));
        parameters.setUseCipherSuitesOrder(true);
        if (!config.applicationProtocols().isEmpty()) {
            parameters.setApplicationProtocols(
                    config.applicationProtocols().toArray(new String[0]));
        }
        switch (config.clientAuth()) {
            case NONE -> {}
            case WANT -> parameters.setWantClientAuth(true);
            case NEED -> parameters.setNeedClientAuth(true);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    /// Reads the files again if one has changed. To be called from time to time.
    void check() {
        Map<Path, Stamp> seen = stamps();
        boolean changed;
        synchronized (this) {
            changed = !seen.equals(stamps);
        }
        if (changed) {
            reload();
        }
    }

    /// Reads the files again. If one cannot be used, all stays as it was.
    synchronized void reload() {
        // Before reading, so that a change while reading is seen at the next check.
        stamps = stamps();
        try {
            List<CertifiedKey> newKeys = readKeys();
            List<X509Certificate> newTrust = readTrust();
            keys.swap(newKeys);
            if (!newTrust.equals(trusted)) {
                context = build(newTrust);
                trusted = newTrust;
            }
            LOG.log(Level.INFO, "certificates read again: " + config.certificates());
        } catch (TlsSetupException e) {
            LOG.log(
                    Level.ERROR,
                    "certificates not renewed, the old ones stay in use: " + e.getMessage());
        }
    }

    private Map<Path, Stamp> stamps() {
        Map<Path, Stamp> found = new HashMap<>();
        for (TlsConfig.Certificate certificate : config.certificates()) {
            stamp(found, certificate.cert());
            stamp(found, certificate.key());
        }
        Path trust = config.trust();
        if (trust != null) {
            stamp(found, trust);
        }
        return found;
    }

    private static void stamp(Map<Path, Stamp> into, Path file) {
        try {
            BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
            into.put(file, new Stamp(a.size(), a.lastModifiedTime().toMillis(), a.fileKey()));
        } catch (IOException e) {
            into.put(file, new Stamp(-1, 0, null));
        }
    }
}
