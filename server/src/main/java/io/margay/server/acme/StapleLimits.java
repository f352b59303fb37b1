package io.margay.server.acme;

import java.time.Duration;

/// Bounds of what is asked of OCSP responders for stapling. Immutable.
///
/// @param certificatesMax that responses are fetched for; what a listener can show at all
/// @param responseBytesMax of one response; they have some kilobytes
/// @param requestTimeout for one response; responders answer within a second
/// @param retryFirst after the first failure; it doubles with each further one; a response has half
///   of its life left
/// @param retryMax at most between two tries; a responder that comes back is seen within the hour
/// @param refreshMin at least between two responses for a certificate; a responder whose responses
///   end at once is not asked in a loop
/// @param refreshMax at most between them; otherwise half of a response's life; a certificate that
///   is revoked shows it within a day
/// @param look between two looks at the wall clock; a clock that leaps is seen within a minute
/// @param keep of files of responses for certificates that nothing asks for any more; responses end
///   after some days
/// @param askingMax questions of the JDK's TLS at a time; as many handshakes wait at a time
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
