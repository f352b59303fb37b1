package io.margay.server.files;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a folder, or a single file, is served. Immutable.
///
/// @param root the folder, or a file, which is then all that is served, at `mount` itself
/// @param mount path under which it is served, such as `/assets`; empty for `/`
/// @param welcome file names tried for a folder, in this order
/// @param fallback path below the root of the file that is sent for one that is not there, and for
///   a folder that has none of these if there are any, or null
/// @param listing whether a folder without such a file is listed
/// @param precompressed whether `NAME.br` and `NAME.gz` are sent to clients that take them
/// @param guarded whether `WEB-INF` and `META-INF` are hidden, as in a web application
/// @param dotFiles whether names that begin with a dot are served; `.well-known` (RFC 8615) always
///   is
/// @param cacheControl value of `Cache-Control`, or null for none
/// @param charset added to text types that have none; null adds none
/// @param limits what is kept of its files
@RecordBuilder
public record StaticFilesConfig(
        Path root,
        String mount,
        List<String> welcome,
        @Nullable String fallback,
        boolean listing,
        boolean precompressed,
        boolean guarded,
        boolean dotFiles,
        @Nullable String cacheControl,
        @Nullable String charset,
        FileCacheLimits limits)
        implements StaticFilesConfigBuilder.With {
    public StaticFilesConfig {
        welcome = List.copyOf(welcome);
        if (!mount.isEmpty() && (!mount.startsWith("/") || mount.endsWith("/"))) {
            throw new IllegalArgumentException("mount begins with / and does not end with one");
        }
    }

    /// Welcome file `index.html`, no listing, precompressed variants, no dot files, UTF-8; a cache
    /// as any, but of 32 MiB.
    public static StaticFilesConfig of(Path root, String mount) {
        return new StaticFilesConfig(
                root,
                mount,
                List.of("index.html"),
                null,
                false,
                true,
                true,
                false,
                null,
                "utf-8",
                FileCacheLimits.defaults().withContentsBytesMax(32L * 1024 * 1024));
    }
}
