package io.margay.server.acme;

import io.margay.server.shared.SharedGroup;
import org.jspecify.annotations.Nullable;

/// Opens what orders certificates; found as a service.
public interface AcmeClientProvider {
    /// @param challenges where what authorities ask for is put
    /// @param changed told on the client's thread when the file of a certificate has changed
    /// @param group servers that have the same certificates; null = there is no other
    AcmeClient open(
            AcmeLimits limits,
            AcmeChallenges challenges,
            Runnable changed,
            @Nullable SharedGroup group);
}
