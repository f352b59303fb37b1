package io.margay.acme;

import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeCertificate.KeyKind;
import io.margay.server.acme.AcmeChallengeKind;
import io.margay.server.acme.AcmeChallenges;
import io.margay.server.acme.AcmeConfig;
import io.margay.server.acme.AcmeLimits;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/// A process that orders certificates until it is killed.
final class DyingClient {
    private DyingClient() {}

    static AcmeCertificate wanted(URI directory, Path roots, String name) {
        return new AcmeCertificate(
                List.of(name),
                new AcmeAuthority(directory, roots, "admin@shop.example", null),
                List.of(AcmeChallengeKind.TLS_ALPN_01),
                null,
                KeyKind.EC256,
                null,
                null);
    }

    /// @param args storage, directory of the authority, what that is trusted by, names
    public static void main(String[] args) throws Exception {
        AcmeLimits limits = AcmeLimits.defaults();
        CertificateOrders orders =
                new CertificateOrders(
                        limits,
                        new AcmeChallenges(limits),
                        () -> {},
                        InstantSource.system(),
                        new SecureRandom());
        List<AcmeCertificate> all =
                Stream.of(args)
                        .skip(3)
                        .map(name -> wanted(URI.create(args[1]), Path.of(args[2]), name))
                        .toList();
        AcmeConfig config = new AcmeConfig(Path.of(args[0]), all);
        orders.prepare(config);
        orders.follow(config);
        new CountDownLatch(1).await();
    }
}
