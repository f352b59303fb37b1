package io.margay.server.compression;

/// Limits of what compression holds. Immutable.
///
/// @param idleEncoders encoders of each coding that are kept for the next responses
/// @param keptBytes compressed contents of files in memory, for the next responses
public record CompressionLimits(int idleEncoders, long keptBytes) {
    public CompressionLimits {
        if (idleEncoders < 1) {
            throw new IllegalArgumentException("idleEncoders must be positive: " + idleEncoders);
        }
        if (keptBytes < 0) {
            throw new IllegalArgumentException("keptBytes is negative: " + keptBytes);
        }
    }

    /// 16 MiB are the compressed text of many sites. 32 encoders: about 10 MiB of each coding at
    /// most. Making an encoder costs as much as encoding some kilobytes, so that keeping more is
    /// for nothing.
    public static CompressionLimits defaults() {
        return new CompressionLimits(32, 16L << 20);
    }
}
