package io.margay.server.compression;

/// Limits of what compression holds. Immutable.
///
/// @param idleEncoders encoders of each coding that are kept for the next responses
public record CompressionLimits(int idleEncoders) {
    public CompressionLimits {
        if (idleEncoders < 1) {
            throw new IllegalArgumentException("idleEncoders must be positive: " + idleEncoders);
        }
    }

    /// 32: about 10 MiB of each coding at most. Making an encoder costs as much as encoding some
    /// kilobytes, so that keeping more is for nothing.
    public static CompressionLimits defaults() {
        return new CompressionLimits(32);
    }
}
