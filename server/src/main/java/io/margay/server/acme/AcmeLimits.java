package io.margay.server.acme;

import java.time.Duration;

/// Bounds of orders of certificates. Immutable.
///
/// @param pendingMax challenges of each kind that can be answered at a time; ten orders of the
///   largest kind
/// @param domainsMax names of one certificate; what Let's Encrypt issues
/// @param responseBytesMax of one response of an authority; a chain is some kilobytes
/// @param requestTimeout for one response; authorities under load take seconds
/// @param orderTimeout for an authority's work on an order, before and after it is finalised;
///   records spread within minutes
/// @param commandTimeout for a command that sets or removes a DNS record; servers of a zone take as
///   long
/// @param retryFirst after the first failure; it doubles with each further one; Let's Encrypt takes
///   five failures in an hour
/// @param retryMax at most between two tries, whatever the authority asks for; a certificate has
///   weeks left when its renewal begins
/// @param renewalsMin at least between two certificates for the same names; a clock that leaps, or
///   an authority in a loop, costs one order
/// @param look between two looks at the wall clock; a clock that leaps is seen within a minute
/// @param informationMin at least between two questions about when to renew; an authority that says
///   less is not asked in a loop
/// @param informationMax at most between them; RFC 9773 §4.3.2
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
