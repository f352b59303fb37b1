package io.margay.app.agreement.httpd;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A request that a site's file says is answered otherwise than by httpd, and how: `[Directive]` of
/// a line that `check` names, `stricter` for a refusal, `encoded` where both are the same once
/// decoded, `discloses` where httpd tells a path on the disk, `page` where its page alone differs.
/// Immutable.
record SiteDifference(String kind, String text) {
    /// What the lines say of a request; null where it is answered alike.
    static @Nullable SiteDifference of(String request, List<String> lines) {
        String start = request + " => ";
        for (String line : lines) {
            if (line.startsWith(start)) {
                String rest = line.substring(start.length());
                int end = rest.indexOf(rest.startsWith("[") ? ']' : ':');
                if (end < 0) {
                    throw new AssertionError(line + ": say of which kind it is");
                }
                String kind = rest.substring(0, rest.startsWith("[") ? end + 1 : end);
                return new SiteDifference(kind, rest);
            }
        }
        return null;
    }

    /// Whether it is of its kind.
    ///
    /// @param theirs httpd's answer, with its status first
    /// @param ours Margay's
    /// @param named the directives that `check` names
    /// @param folder of the site
    boolean isAccepted(String theirs, String ours, List<String> named, Path folder) {
        return switch (kind) {
            case "stricter" -> ours.charAt(0) >= '4';
            // A member may refuse what is not encoded.
            case "encoded" -> theirs.startsWith("400") || decoded(theirs).equals(decoded(ours));
            case "discloses" -> theirs.contains(folder.toString());
            case "page" ->
                    theirs.substring(0, 3).equals(ours.substring(0, 3))
                            && theirs.contains("<!DOCTYPE");
            default -> named.contains(kind.substring(1, kind.length() - 1));
        };
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.toLowerCase(Locale.ROOT), StandardCharsets.UTF_8);
    }
}
