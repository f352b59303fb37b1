package io.margay.server.users;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The parameters of an `Authorization: Digest` field (RFC 7616 §3.4). Stateless.
public final class DigestParameters {
    private static final String SCHEME = "Digest ";
    private static final int PARAMETERS_MAX = 20;

    private static final Pattern PARAMETER =
            Pattern.compile(
                    "[ \\t]*+([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64})[ \\t]*+=[ \\t]*+"
                            + "(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\", \\t]++))[ \\t]*+(?:,|$)");

    private DigestParameters() {}

    /// By their names in lower case; null when there is no such field, or it is malformed, or names
    /// one twice.
    public static @Nullable Map<String, String> of(@Nullable String field) {
        if (field == null || !field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        Map<String, String> found = new HashMap<>();
        Matcher matcher = PARAMETER.matcher(field);
        int at = SCHEME.length();
        while (at < field.length()) {
            if (!matcher.region(at, field.length()).lookingAt()
                    || found.size() == PARAMETERS_MAX
                    || found.put(matcher.group(1).toLowerCase(Locale.ROOT), value(matcher))
                            != null) {
                return null;
            }
            at = matcher.end();
        }
        return found;
    }

    private static String value(Matcher matcher) {
        String quoted = matcher.group(2);
        return quoted == null ? matcher.group(3) : quoted.replaceAll("\\\\(.)", "$1");
    }
}
