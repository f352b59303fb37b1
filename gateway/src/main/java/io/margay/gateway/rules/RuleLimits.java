package io.margay.gateway.rules;

/// Bounds on what one request may cost while rules are looked at. Immutable.
///
/// @param regexSteps characters that one search with a regular expression may look at, repetitions
///   included: expressions of configurations need less than ten times the length of a path, and
///   those that backtrack without end reach it within a millisecond
/// @param rewritesMax rewrites of one request, so that a list of rules cannot be made to run round
/// @param fileBytesMax of a map, an error page or a file such as `.htaccess`, which are held in
///   memory
/// @param folderFilesMax folders of which is remembered what their `.htaccess` says, or that there
///   is none: more than a site has of them; others are looked at for each request, and not by
///   `check`
/// @param lineBytesMax of a line in which text is replaced, before and after, where rules do not
///   say
public record RuleLimits(
        int regexSteps, int rewritesMax, int fileBytesMax, int folderFilesMax, int lineBytesMax) {
    public RuleLimits {
        if (regexSteps < 1
                || rewritesMax < 1
                || fileBytesMax < 1
                || folderFilesMax < 1
                || lineBytesMax < 1) {
            throw new IllegalArgumentException("limits are at least 1");
        }
    }

    /// 100 000 steps, 32 rewrites, files of 1 MiB, 10 000 folders, lines of 1 MiB.
    public static RuleLimits defaults() {
        return new RuleLimits(100_000, 32, 1 << 20, 10_000, 1 << 20);
    }
}
