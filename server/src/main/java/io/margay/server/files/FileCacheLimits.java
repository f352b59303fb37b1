package io.margay.server.files;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/// What a cache of files keeps. Immutable.
///
/// @param smallBytesMax the content of a larger file is taken only when it is asked for twice
///   within `freshFor`, bytes
/// @param contentBytesMax a larger file is sent from the file system, bytes (Tomcat: 512 KiB)
/// @param contentsBytesMax all contents together, bytes (Tomcat: 10 MiB for an application)
/// @param filesMax files that are remembered
/// @param freshFor how long what is known of a file is believed (Tomcat: 5 s)
@RecordBuilder
public record FileCacheLimits(
        int smallBytesMax,
        int contentBytesMax,
        long contentsBytesMax,
        int filesMax,
        Duration freshFor)
        implements FileCacheLimitsBuilder.With {
    public FileCacheLimits {
        if (smallBytesMax < 0
                || contentBytesMax < smallBytesMax
                || contentsBytesMax < 0
                || filesMax < 1
                || freshFor.isNegative()) {
            throw new IllegalArgumentException("limits of the file cache must not be negative");
        }
    }

    /// 64 KiB and 512 KiB, 16 MiB of 10 000 files, one second.
    public static FileCacheLimits defaults() {
        return new FileCacheLimits(
                64 * 1024, 512 * 1024, 16L * 1024 * 1024, 10_000, Duration.ofSeconds(1));
    }
}
