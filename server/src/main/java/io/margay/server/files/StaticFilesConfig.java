package io.margay.server.files;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a folder, or a single file, is served. Immutable.
///
/// @param root the folder, or a file, which is then all that is served, at `mount` itself
/// @param mount path under which it is served, such as `/assets`; empty for `/`
/// @param welcome file names tried for a folder, in this order
/// @param listing whether a folder without such a file is listed
/// @param precompressed whether `NAME.br` and `NAME.gz` are sent to clients that take them
/// @param guarded whether `WEB-INF` and `META-INF` are hidden, as in a web application
/// @param cacheControl value of `Cache-Control`, or null for none
/// @param charset added to text types that have none; null adds none
/// @param bodyBytesMax largest file kept in memory, bytes
/// @param cacheBytesMax all files kept in memory together, bytes
/// @param entriesMax files whose facts are kept
/// @param freshFor how long facts are believed before the file is looked at again
public record StaticFilesConfig(
        Path root,
        String mount,
        List<String> welcome,
        boolean listing,
        boolean precompressed,
        boolean guarded,
        @Nullable String cacheControl,
        @Nullable String charset,
        int bodyBytesMax,
        long cacheBytesMax,
        int entriesMax,
        Duration freshFor) {
    public StaticFilesConfig {
        welcome = List.copyOf(welcome);
        if (!mount.isEmpty() && (!mount.startsWith("/") || mount.endsWith("/"))) {
            throw new IllegalArgumentException("mount begins with / and does not end with one");
        }
        if (bodyBytesMax < 0 || cacheBytesMax < 0 || entriesMax < 1 || freshFor.isNegative()) {
            throw new IllegalArgumentException("limits of the file cache must not be negative");
        }
    }

    /// Welcome file `index.html`, no listing, precompressed variants, UTF-8; files up to 64 KiB in
    /// a cache of 32 MiB and 10 000 entries, looked at once a second.
    public static StaticFilesConfig of(Path root, String mount) {
        return new StaticFilesConfig(
                root,
                mount,
                List.of("index.html"),
                false,
                true,
                true,
                null,
                "utf-8",
                65_536,
                33_554_432,
                10_000,
                Duration.ofSeconds(1));
    }

    /// The same with a `Cache-Control` field.
    public StaticFilesConfig withCacheControl(@Nullable String value) {
        return copy(welcome, listing, guarded, value, freshFor);
    }

    /// The same with listings or without.
    public StaticFilesConfig withListing(boolean lists) {
        return copy(welcome, lists, guarded, cacheControl, freshFor);
    }

    /// The same with other welcome files.
    public StaticFilesConfig withWelcome(List<String> names) {
        return copy(names, listing, guarded, cacheControl, freshFor);
    }

    /// The same with `WEB-INF` and `META-INF` hidden or not.
    public StaticFilesConfig withGuard(boolean guards) {
        return copy(welcome, listing, guards, cacheControl, freshFor);
    }

    /// The same, believing facts for another time.
    public StaticFilesConfig withFreshFor(Duration time) {
        return copy(welcome, listing, guarded, cacheControl, time);
    }

    private StaticFilesConfig copy(
            List<String> names,
            boolean lists,
            boolean guards,
            @Nullable String control,
            Duration fresh) {
        return new StaticFilesConfig(
                root,
                mount,
                names,
                lists,
                precompressed,
                guards,
                control,
                charset,
                bodyBytesMax,
                cacheBytesMax,
                entriesMax,
                fresh);
    }
}
