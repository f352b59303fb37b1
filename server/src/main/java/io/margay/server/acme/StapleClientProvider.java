package io.margay.server.acme;

import java.nio.file.Path;

/// Opens what fetches OCSP responses; found as a service.
public interface StapleClientProvider {
    /// @param folder where responses are kept
    StapleClient open(StapleLimits limits, Path folder);
}
