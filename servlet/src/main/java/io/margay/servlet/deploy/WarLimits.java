package io.margay.servlet.deploy;

/// Bounds of one WAR, so that a hostile one fills neither disk nor memory.
///
/// @param entriesMax files and folders; 100 000
/// @param entryBytesMax one file unpacked; 1 GiB
/// @param totalBytesMax all files unpacked; 4 GiB
/// @param ratioMax unpacked size over size of the WAR, checked beyond 100 MiB unpacked; 100 (class
///   files reach 3, text 20, Deflate itself 1032)
/// @param nameCharsMax length of an entry's path; 1024
/// @param directoryBytesMax size of the WAR's table of contents; 64 MiB
public record WarLimits(
        int entriesMax,
        long entryBytesMax,
        long totalBytesMax,
        int ratioMax,
        int nameCharsMax,
        int directoryBytesMax) {
    public WarLimits {
        if (entriesMax <= 0
                || entryBytesMax <= 0
                || totalBytesMax <= 0
                || ratioMax <= 0
                || nameCharsMax <= 0
                || directoryBytesMax <= 0) {
            throw new IllegalArgumentException("limits of a WAR must be positive");
        }
    }

    public static WarLimits defaults() {
        return new WarLimits(100_000, 1L << 30, 4L << 30, 100, 1024, 64 << 20);
    }
}
