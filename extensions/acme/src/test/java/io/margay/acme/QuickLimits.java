package io.margay.acme;

import io.margay.server.acme.AcmeLimits;
import java.time.Duration;

/// Limits under which tests need not wait.
final class QuickLimits {
    static final AcmeLimits LIMITS = withRetry(Duration.ofMillis(1));

    /// The same with another wait after the first failure.
    static AcmeLimits withRetry(Duration first) {
        return new AcmeLimits(
                10,
                100,
                1 << 16,
                Duration.ofSeconds(5),
                Duration.ofSeconds(20),
                Duration.ofSeconds(5),
                first,
                Duration.ofHours(12),
                Duration.ofHours(1),
                Duration.ofMillis(50),
                Duration.ofMillis(1),
                Duration.ofHours(24));
    }

    private QuickLimits() {}
}
