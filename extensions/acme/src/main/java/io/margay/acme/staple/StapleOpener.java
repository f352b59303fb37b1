package io.margay.acme.staple;

import io.margay.server.acme.StapleClient;
import io.margay.server.acme.StapleClientProvider;
import io.margay.server.acme.StapleLimits;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;

/// Fetches OCSP responses by the JDK's HTTP client.
public final class StapleOpener implements StapleClientProvider {
    @Override
    public StapleClient open(StapleLimits limits, Path folder) {
        return new Stapler(limits, folder, InstantSource.system(), new SecureRandom());
    }
}
