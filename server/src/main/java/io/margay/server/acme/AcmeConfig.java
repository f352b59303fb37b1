package io.margay.server.acme;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The certificates that a server gets by itself. Immutable.
///
/// @param storage folder of accounts and certificates
/// @param certificates each name of a folder once
/// @param ordersMax orders under way at the same time
public record AcmeConfig(Path storage, List<AcmeCertificate> certificates, int ordersMax) {
    /// Orders under way at the same time, unless another number is said.
    public static final int ORDERS = 10;

    /// What may be said: each order takes a thread and a connection of the authority.
    public static final int ORDERS_MAX = 100;

    /// None.
    public static final AcmeConfig NONE = new AcmeConfig(Path.of(""), List.of());

    public AcmeConfig(Path storage, List<AcmeCertificate> certificates) {
        this(storage, certificates, ORDERS);
    }

    public AcmeConfig {
        certificates = List.copyOf(certificates);
    }

    /// The files of the certificates, which the server makes when it starts.
    public Set<Path> files() {
        return certificates.stream().map(one -> one.file(storage)).collect(Collectors.toSet());
    }

    /// Whether there is nothing to do.
    public boolean isEmpty() {
        return certificates.isEmpty();
    }
}
