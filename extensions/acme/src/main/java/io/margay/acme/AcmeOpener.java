package io.margay.acme;

import io.margay.server.acme.AcmeChallenges;
import io.margay.server.acme.AcmeClient;
import io.margay.server.acme.AcmeClientProvider;
import io.margay.server.acme.AcmeLimits;
import io.margay.server.shared.SharedGroup;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Orders certificates by acme4j.
public final class AcmeOpener implements AcmeClientProvider {
    @Override
    public AcmeClient open(
            AcmeLimits limits,
            AcmeChallenges challenges,
            Runnable changed,
            @Nullable SharedGroup group) {
        return new CertificateOrders(
                limits,
                challenges,
                changed,
                InstantSource.system(),
                new SecureRandom(),
                group,
                CertificateOrders.ALONE_AFTER);
    }
}
