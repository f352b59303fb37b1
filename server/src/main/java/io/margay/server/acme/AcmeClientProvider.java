package io.margay.server.acme;

/// Opens what orders certificates; found as a service.
public interface AcmeClientProvider {
    /// @param challenges where what authorities ask for is put
    /// @param changed told on the client's thread when the file of a certificate has changed
    AcmeClient open(AcmeLimits limits, AcmeChallenges challenges, Runnable changed);
}
