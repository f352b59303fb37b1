package io.margay.transport.tls;

import io.margay.transport.KeySource;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import io.margay.transport.tls.certificate.CertifiedKey;
import io.margay.transport.tls.certificate.ClientAuthorities;
import io.margay.transport.tls.certificate.FileStamp;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/// What the handshakes for some host names of a listener use, and its renewal when files change.
/// Thread-safe.
final class HandshakeSettings {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    /// How long a certificate that clients trust only with a response waits for the first one,
    /// while the certificate before it is shown.
    private static final Duration STAPLE_PATIENCE = Duration.ofSeconds(10);

    private final TlsConfig config;
    private final TlsEngines engines;
    private final TlsConfig.Requirements requirements;
    private ClientAuthorities authorities;
    private Map<Path, FileStamp> ofClients;

    /// In the order of the configuration.
    private List<Loaded> loaded;

    /// A certificate as it was read.
    ///
    /// @param stamps of its files, from before they were read
    private record Loaded(Map<Path, FileStamp> stamps, CertifiedKey key) {}

    /// @param byDefault whether OpenSSL is used where the configuration leaves the choice
    HandshakeSettings(TlsConfig config, boolean byDefault) {
        this.config = config;
        this.requirements = config.requirements();
        ClientAuthorities.requireAsking(config);
        this.ofClients = ofClients();
        this.loaded = config.certificates().stream().map(HandshakeSettings::load).toList();
        List<CertifiedKey> keys = keys(loaded);
        this.authorities = ClientAuthorities.read(config.clients());
        follow(keys, Duration.ZERO);
        this.engines =
                !config.clients().asksResponders() && OpenSsl.wanted(config.provider(), byDefault)
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

    private static Loaded load(TlsConfig.Certificate certificate) {
        // Before reading, so that a change while reading is seen at the next check.
        Map<Path, FileStamp> stamps = stamps(certificate);
        return new Loaded(stamps, CertifiedKey.read(certificate));
    }

    private static List<CertifiedKey> keys(List<Loaded> of) {
        return of.stream().map(Loaded::key).toList();
    }

    /// Has responses fetched for the certificates to which they are to be stapled.
    private void follow(List<CertifiedKey> keys, Duration patience) {
        TlsConfig.Stapling.Responses from = config.stapling().from();
        if (from != null) {
            from.follow(
                    this,
                    keys.stream()
                            .filter(key -> key.isStapled(config.stapling().which()))
                            .map(CertifiedKey::chain)
                            .toList(),
                    patience);
        }
    }

    /// Has no more responses fetched, and gives back what is kept for handshakes.
    void close() {
        follow(List.of(), Duration.ZERO);
        engines.close();
    }

    /// Whether a step of a handshake may wait for the network: for an OCSP responder.
    boolean mayWait() {
        return config.clients().asksResponders()
                || (engines instanceof JsseEngines own && own.staples());
    }

    /// An engine for one handshake.
    SSLEngine engine() {
        return engines.engine();
    }

    /// What makes handshakes of OpenSSL, or null where the JDK does.
    @Nullable OpenSslEngines openSsl() {
        return engines instanceof OpenSslEngines open ? open : null;
    }

    /// What a connection has met that was set up with these.
    TlsConfig.Requirements requirements() {
        return requirements;
    }

    /// Whose TLS it is.
    String provider() {
        return engines instanceof OpenSslEngines ? OpenSsl.library().shortVersion() : "JSSE";
    }

    /// How many certificates there are.
    int certificates() {
        return config.certificates().size();
    }

    /// Reads the files that have changed. To be called from time to time.
    void check() {
        refresh(false);
    }

    /// Reads the files that have changed, and asks again for what is in no file.
    void reload() {
        refresh(true);
    }

    /// A certificate that cannot be used leaves the one before in its place, and so does a list of
    /// authorities; the others are taken all the same.
    private synchronized void refresh(boolean asks) {
        List<TlsConfig.Certificate> taken = new ArrayList<>();
        List<Loaded> next = new ArrayList<>();
        for (int i = 0; i < loaded.size(); i++) {
            TlsConfig.Certificate certificate = config.certificates().get(i);
            next.add(refreshed(certificate, loaded.get(i), asks, taken));
        }
        try {
            if (!taken.isEmpty()) {
                List<CertifiedKey> keys = keys(next);
                boolean waits = keys.stream().anyMatch(CertifiedKey::mustStaple);
                follow(keys, waits ? STAPLE_PATIENCE : Duration.ZERO);
                engines.keys(keys);
                LOG.log(Level.INFO, "certificates read again: " + taken);
            }
        } catch (TlsSetupException e) {
            refused(e);
            for (int i = 0; i < next.size(); i++) {
                next.set(i, new Loaded(next.get(i).stamps, loaded.get(i).key));
            }
            follow(keys(next), Duration.ZERO);
        }
        loaded = List.copyOf(next);
        refreshClients();
    }

    private static Loaded refreshed(
            TlsConfig.Certificate certificate,
            Loaded before,
            boolean asks,
            List<TlsConfig.Certificate> taken) {
        Map<Path, FileStamp> stamps = stamps(certificate);
        boolean again = certificate.source() == null ? !stamps.equals(before.stamps) : asks;
        if (!again) {
            return before;
        }
        try {
            CertifiedKey key = CertifiedKey.read(certificate);
            taken.add(certificate);
            return new Loaded(stamps, key);
        } catch (TlsSetupException e) {
            refused(e);
            return new Loaded(stamps, before.key);
        }
    }

    private void refreshClients() {
        Map<Path, FileStamp> seen = ofClients();
        if (seen.equals(ofClients)) {
            return;
        }
        ofClients = seen;
        try {
            ClientAuthorities fresh = ClientAuthorities.read(config.clients());
            if (!fresh.equals(authorities)) {
                engines.trust(fresh);
                authorities = fresh;
                LOG.log(Level.INFO, "authorities of clients read again: " + seen.keySet());
            }
        } catch (TlsSetupException e) {
            refused(e);
        }
    }

    private static void refused(TlsSetupException e) {
        LOG.log(
                Level.ERROR,
                "certificates not renewed, the old ones stay in use: " + e.getMessage());
    }

    private static Map<Path, FileStamp> stamps(TlsConfig.Certificate certificate) {
        return FileStamp.ofCertificates(List.of(certificate));
    }

    private Map<Path, FileStamp> ofClients() {
        return config.clients().auth() == TlsConfig.ClientAuth.NONE
                ? Map.of()
                : FileStamp.of(ClientAuthorities.files(config.clients()));
    }
}
