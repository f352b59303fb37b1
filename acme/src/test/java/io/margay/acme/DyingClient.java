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

/// A process that orders a certificate until it is killed.
final class DyingClient {
    private DyingClient() {}

    /// @param args storage, directory of the authority, what that is trusted by
    public static void main(String[] args) throws Exception {
        AcmeLimits limits = AcmeLimits.defaults();
        AcmeCertificate wanted =
                new AcmeCertificate(
                        List.of("shop.example"),
                        new AcmeAuthority(
                                URI.create(args[1]), Path.of(args[2]), "admin@shop.example", null),
                        List.of(AcmeChallengeKind.TLS_ALPN_01),
                        null,
                        KeyKind.EC256,
                        null,
                        null);
        CertificateOrders orders =
                new CertificateOrders(
                        limits,
                        new AcmeChallenges(limits),
                        () -> {},
                        InstantSource.system(),
                        new SecureRandom());
        AcmeConfig config = new AcmeConfig(Path.of(args[0]), List.of(wanted));
        orders.prepare(config);
        orders.follow(config);
        new CountDownLatch(1).await();
    }
}
