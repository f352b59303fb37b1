package io.margay.server.handover;

/// Limits of what one process tells the next. Immutable.
///
/// @param sectionBytesMax bytes of one state; a limit of 65 536 keys has 1 MiB
/// @param sectionsMax states of a file; some for each upstream and host
/// @param fileBytesMax bytes of a file; what is written at a stop within a second
public record StateLimits(int sectionBytesMax, int sectionsMax, int fileBytesMax) {
    public StateLimits {
        if (sectionBytesMax < 1 || sectionsMax < 1 || fileBytesMax < 1) {
            throw new IllegalArgumentException("limits must be at least 1");
        }
    }

    /// 16 MiB for one, some limits of 65 536 keys; 4 096 of them in 64 MiB.
    public static StateLimits defaults() {
        return new StateLimits(16 << 20, 4_096, 64 << 20);
    }
}
