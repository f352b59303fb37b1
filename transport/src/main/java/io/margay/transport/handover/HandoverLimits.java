package io.margay.transport.handover;

import java.time.Duration;

/// Limits of what one process hands to another.
///
/// @param socketsMax listening sockets at most; more listeners than any configuration has
/// @param messageBytesMax one message, bytes; sessions have kilobytes; this bounds a mistake
/// @param startTimeout time for the other process to start and to serve; many large applications
///   deploy in minutes
/// @param answerTimeout time for its answer to one question after that; it waits 5 s for requests
///   that use a session
public record HandoverLimits(
        int socketsMax, int messageBytesMax, Duration startTimeout, Duration answerTimeout) {
    public HandoverLimits {
        if (socketsMax < 1 || messageBytesMax < 1) {
            throw new IllegalArgumentException("sockets and bytes must be at least 1");
        }
        if (!startTimeout.isPositive() || !answerTimeout.isPositive()) {
            throw new IllegalArgumentException("timeouts must be positive");
        }
    }

    /// Two limits of the work at hand, two of patience.
    public static HandoverLimits defaults() {
        return new HandoverLimits(256, 64 << 20, Duration.ofMinutes(10), Duration.ofSeconds(10));
    }
}
