package io.margay.server.log;

/// Limits of an access log. Immutable; reasons and units stand in `docs/reference/limits.md`.
///
/// @param fieldCharsMax of a value that a client has chosen, as written, characters; the rest is
///   cut
/// @param queuedBytesMax lines that wait for the writer, with what the queue keeps of each, bytes
public record AccessLogLimits(int fieldCharsMax, long queuedBytesMax) {
    public AccessLogLimits {
        if (fieldCharsMax < 1 || queuedBytesMax < 1) {
            throw new IllegalArgumentException("the limits of an access log must be positive");
        }
    }

    /// What is active unless something else is asked for.
    public static AccessLogLimits defaults() {
        return new AccessLogLimits(1_024, 8 << 20);
    }
}
