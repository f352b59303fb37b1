package io.margay.transport.tls;

import io.margay.transport.KeySource;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import io.margay.transport.tls.certificate.CertifiedKey;
import io.margay.transport.tls.certificate.ClientAuthorities;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/// What the handshakes for some host names of a listener use, and its renewal when files change.
/// Thread-safe.
final class HandshakeSettings {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private final TlsConfig config;
    private final TlsEngines engines;
    private final TlsConfig.Requirements requirements;
    private ClientAuthorities authorities;
    private Map<Path, Stamp> stamps;

    /// What shows that a file has changed.
    private record Stamp(long size, long modifiedMillis, @Nullable Object fileKey) {}

    /// @param byDefault whether OpenSSL is used where the configuration leaves the choice
    HandshakeSettings(TlsConfig config, boolean byDefault) {
        this.config = config;
        this.requirements = config.requirements();
        ClientAuthorities.requireAsking(config);
        this.stamps = stamps();
        List<CertifiedKey> keys = readKeys();
        this.authorities = ClientAuthorities.read(config.clients());
        this.engines =
                !mayWait() && OpenSsl.wanted(config.provider(), byDefault)
                        ? new OpenSslEngines(config, keys, authorities)
                        : new JsseEngines(config, keys, authorities);
    }

    /// Shows what a certificate authority asks for. It is the JDK's TLS, which keeps nothing
    /// outside the heap, for there is one for each such handshake.
    static HandshakeSettings ofChallenge(KeySource.Keys shown) {
        TlsConfig config =
                TlsConfig.of(List.of(TlsConfig.Certificate.of(() -> shown)))
                        .withApplicationProtocols(List.of(TlsConfig.Challenges.PROTOCOL))
                        .with(TlsConfig.Provider.JSSE);
        return new HandshakeSettings(config, false);
    }

    /// Whether the connection has done all it is for once its handshake is over.
    boolean isChallenge() {
        return config.applicationProtocols().equals(List.of(TlsConfig.Challenges.PROTOCOL));
    }

    private List<CertifiedKey> readKeys() {
        List<CertifiedKey> read = new ArrayList<>();
        for (TlsConfig.Certificate certificate : config.certificates()) {
            read.add(CertifiedKey.read(certificate));
        }
        return read;
    }

    /// Whether a step of a handshake may wait for the network: for an OCSP responder.
    boolean mayWait() {
        return config.clients().asksResponders();
    }

    /// An engine for one handshake.
    SSLEngine engine() {
        return engines.engine();
    }

    /// What a connection has met that was set up with these.
    TlsConfig.Requirements requirements() {
        return requirements;
    }

    /// Whose TLS it is.
    String provider() {
        return engines instanceof OpenSslEngines ? OpenSsl.library().shortVersion() : "JSSE";
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
            ClientAuthorities fresh = ClientAuthorities.read(config.clients());
            engines.keys(newKeys);
            if (!fresh.equals(authorities)) {
                engines.trust(fresh);
                authorities = fresh;
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
            if (certificate.source() != null) {
                continue; // In no file: read again when somebody asks for it.
            }
            stamp(found, certificate.cert());
            stamp(found, certificate.key());
            Path chain = certificate.chain();
            if (chain != null) {
                stamp(found, chain);
            }
            Path ocsp = certificate.ocsp();
            if (ocsp != null) {
                stamp(found, ocsp);
            }
        }
        if (config.clients().auth() != TlsConfig.ClientAuth.NONE) {
            ClientAuthorities.files(config.clients()).forEach(file -> stamp(found, file));
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
