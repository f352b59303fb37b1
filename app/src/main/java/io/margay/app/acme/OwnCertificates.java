package io.margay.app.acme;

import io.margay.app.config.FileFailure;
import io.margay.app.config.StartException;
import io.margay.app.shared.SharedState;
import io.margay.server.Extensions;
import io.margay.server.acme.AcmeChallenges;
import io.margay.server.acme.AcmeClient;
import io.margay.server.acme.AcmeClientProvider;
import io.margay.server.acme.AcmeConfig;
import io.margay.server.acme.AcmeLimits;
import io.margay.server.acme.AcmeReading;
import io.margay.server.acme.StapleLimits;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// The certificates that a server gets by itself. What orders them is opened when a configuration
/// first asks for one. Thread-safe.
public final class OwnCertificates implements AutoCloseable {
    private static final String NO_PROVIDER =
            "margay-acme is not on the class path, which \"acme\" needs";

    private final AcmeLimits limits;
    private final SharedState shared;
    private final AcmeChallenges challenges;
    private final StapledResponses responses = new StapledResponses(StapleLimits.defaults());
    private volatile Runnable changed = () -> {};
    private volatile @Nullable AcmeClient client;
    private boolean closed;

    /// @param shared what the server shares with others
    public OwnCertificates(AcmeLimits limits, SharedState shared) {
        this.limits = limits;
        this.shared = shared;
        challenges = new AcmeChallenges(limits);
    }

    /// What the server shares with others.
    public SharedState shared() {
        return shared;
    }

    /// What certificate authorities are answered.
    public AcmeChallenges challenges() {
        return challenges;
    }

    /// The OCSP responses that are stapled to certificates, these and others.
    public StapledResponses responses() {
        return responses;
    }

    /// What is done when the file of a certificate has changed.
    public void onChange(Runnable task) {
        changed = task;
    }

    /// Has a file for each of these certificates there, of which listeners can be opened.
    ///
    /// @throws StartException when that cannot be
    public synchronized void prepare(AcmeConfig config) {
        if (config.isEmpty()) {
            return;
        }
        AcmeClient current = client;
        if (current == null) {
            current = open();
            client = current;
        }
        try {
            current.prepare(config);
        } catch (IOException e) {
            throw new StartException(
                    "the folder of certificates "
                            + config.storage()
                            + " cannot be used: "
                            + FileFailure.text(e),
                    e);
        }
    }

    /// Takes care of these certificates and no others, now that authorities can reach the
    /// listeners.
    public synchronized void follow(AcmeConfig config) {
        AcmeClient current = client;
        if (current != null && !closed) {
            current.follow(config);
        }
    }

    private AcmeClient open() {
        return provider()
                .orElseThrow(() -> new StartException(NO_PROVIDER))
                .open(limits, challenges, () -> changed.run(), shared.certificates());
    }

    private static Optional<AcmeClientProvider> provider() {
        return ServiceLoader.load(AcmeClientProvider.class, Extensions.loader()).findFirst();
    }

    /// What would keep [#prepare] from having these certificates.
    public static List<String> problems(AcmeConfig config) {
        return config.isEmpty() || provider().isPresent() ? List.of() : List.of(NO_PROVIDER);
    }

    /// How it stands about each.
    public List<AcmeReading> read() {
        AcmeClient current = client;
        return current == null ? List.of() : current.read();
    }

    /// Has one renewed now, though it is not due.
    ///
    /// @return whether there is one of this name
    public boolean renew(String name) {
        AcmeClient current = client;
        return current != null && current.renew(name);
    }

    /// Has the accounts given other keys.
    ///
    /// @return whether there are any
    public boolean changeKeys() {
        AcmeClient current = client;
        if (current != null) {
            current.changeKeys();
        }
        return current != null;
    }

    @Override
    public synchronized void close() {
        closed = true;
        responses.close();
        AcmeClient current = client;
        if (current != null) {
            current.close();
        }
    }
}
