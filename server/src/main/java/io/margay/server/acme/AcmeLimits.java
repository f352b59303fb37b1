package io.margay.server.acme;

import java.time.Duration;

/// Bounds of orders of certificates. Immutable.
///
/// @param pendingMax challenges of each kind that can be answered at a time
/// @param domainsMax names of one certificate
/// @param responseBytesMax of one response of an authority
/// @param requestTimeout for one response
/// @param orderTimeout for an authority's work on an order, before and after it is finalised
/// @param commandTimeout for a command that sets or removes a DNS record
/// @param retryFirst after the first failure; it doubles with each further one
/// @param retryMax at most between two tries, whatever the authority asks for
/// @param renewalsMin at least between two certificates for the same names
/// @param look between two looks at the wall clock
/// @param informationMin at least between two questions about when to renew
/// @param informationMax at most between them
public record AcmeLimits(
        int pendingMax,
        int domainsMax,
        int responseBytesMax,
        Duration requestTimeout,
        Duration orderTimeout,
        Duration commandTimeout,
        Duration retryFirst,
        Duration retryMax,
        Duration renewalsMin,
        Duration look,
        Duration informationMin,
        Duration informationMax) {
    public static AcmeLimits defaults() {
        return new AcmeLimits(
                1_000,
                100,
                1 << 20,
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofMinutes(2),
                Duration.ofMinutes(1),
                Duration.ofHours(12),
                Duration.ofHours(1),
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                Duration.ofHours(24));
    }
}
