package io.margay.server.acme;

import java.nio.file.Path;
import java.util.List;

/// The certificates that a server gets by itself. Immutable.
///
/// @param storage folder of accounts and certificates
/// @param certificates each name of a folder once
public record AcmeConfig(Path storage, List<AcmeCertificate> certificates) {
    /// None.
    public static final AcmeConfig NONE = new AcmeConfig(Path.of(""), List.of());

    public AcmeConfig {
        certificates = List.copyOf(certificates);
    }

    /// Whether there is nothing to do.
    public boolean isEmpty() {
        return certificates.isEmpty();
    }
}
