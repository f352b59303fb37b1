package io.margay.server.acme;

import java.time.Duration;

/// Bounds of what is asked of OCSP responders for stapling. Immutable.
///
/// @param certificatesMax that responses are fetched for
/// @param responseBytesMax of one response
/// @param requestTimeout for one response
/// @param retryFirst after the first failure; it doubles with each further one
/// @param retryMax at most between two tries
/// @param refreshMin at least between two responses for a certificate
/// @param refreshMax at most between them; otherwise half of a response's life
/// @param look between two looks at the wall clock
/// @param keep of files of responses for certificates that nothing asks for any more
/// @param askingMax questions of the JDK's TLS at a time
public record StapleLimits(
        int certificatesMax,
        int responseBytesMax,
        Duration requestTimeout,
        Duration retryFirst,
        Duration retryMax,
        Duration refreshMin,
        Duration refreshMax,
        Duration look,
        Duration keep,
        int askingMax) {
    public static StapleLimits defaults() {
        return new StapleLimits(
                10_000,
                1 << 16,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofHours(1),
                Duration.ofMinutes(5),
                Duration.ofHours(24),
                Duration.ofMinutes(1),
                Duration.ofDays(30),
                64);
    }
}
