package io.margay.protocol.caching;

import io.margay.protocol.http.StructuredDictionary;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The directives of `Cache-Control` (RFC 9111 §5.2), or of a field for some caches only (RFC
/// 9213). Immutable.
///
/// A directive with a list of fields, as in `no-cache="Set-Cookie"`, counts as one without: more is
/// validated than must be, and nothing is stored that must not be.
public final class CacheControl {
    /// No directives.
    public static final CacheControl NONE = new CacheControl(Map.of());

    /// A directive that is not there.
    public static final long ABSENT = -1;

    /// The longest time, in seconds: some 68 years, the value that RFC 9111 §1.2.2 asks for at
    /// least.
    public static final long SECONDS_MAX = Integer.MAX_VALUE;

    /// What a directive of that name says; empty for one without a value.
    private final Map<String, String> directives;

    private CacheControl(Map<String, String> directives) {
        this.directives = directives;
    }

    /// Reads the lines of `Cache-Control`. What is malformed is left out, but never a directive
    /// that can be made out.
    public static CacheControl of(List<String> lines) {
        if (lines.isEmpty()) {
            return NONE;
        }
        Map<String, String> found = new HashMap<>();
        for (String line : lines) {
            int at = 0;
            while (at < line.length()) {
                int end = end(line, at);
                add(line.substring(at, end), found);
                at = end + 1;
            }
        }
        return new CacheControl(found);
    }

    /// Reads a field for some caches only, which is a Dictionary of Structured Fields.
    ///
    /// @return null when there is none, or it is malformed: the field is ignored then
    public static @Nullable CacheControl targeted(List<String> lines) {
        Map<String, String> found = new HashMap<>();
        StructuredDictionary.Members members =
                new StructuredDictionary.Members() {
                    @Override
                    public void integer(String key, long value) {
                        found.put(key, Long.toString(value));
                    }

                    @Override
                    public void bool(String key, boolean value) {
                        if (value) {
                            found.put(key, "");
                        } else {
                            found.remove(key);
                        }
                    }

                    @Override
                    public void other(String key) {
                        found.put(key, "?");
                    }
                };
        boolean whole =
                !lines.isEmpty()
                        && StructuredDictionary.read(String.join(",", lines), members)
                        && !found.isEmpty()
                        && !"?".equals(found.get("max-age"))
                        && !"?".equals(found.get("s-maxage"));
        return whole ? new CacheControl(found) : null;
    }

    /// Where a directive ends: at a comma outside quotes.
    private static int end(String line, int from) {
        boolean quoted = false;
        int at = from;
        while (at < line.length() && (quoted || line.charAt(at) != ',')) {
            char c = line.charAt(at);
            if (c == '\\' && quoted) {
                at++;
            } else if (c == '"') {
                quoted = !quoted;
            }
            at++;
        }
        return Math.min(at, line.length());
    }

    private static void add(String directive, Map<String, String> found) {
        int equals = directive.indexOf('=');
        String name = (equals < 0 ? directive : directive.substring(0, equals)).strip();
        String value = equals < 0 ? "" : unquoted(directive.substring(equals + 1).strip());
        if (!name.isEmpty()) {
            found.merge(name.toLowerCase(Locale.ROOT), value, CacheControl::stricter);
        }
    }

    /// Of a directive that is there twice the shorter time holds.
    private static String stricter(String one, String other) {
        return number(one) <= number(other) ? one : other;
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    /// Whether a directive is there, whatever its value.
    public boolean has(String name) {
        return directives.containsKey(name);
    }

    /// The seconds that a directive says; [#ABSENT] when it is not there, 0 when its value is no
    /// number: what cannot be read is stale (RFC 9111 §4.2.1).
    public long seconds(String name) {
        String value = directives.get(name);
        return value == null ? ABSENT : number(value);
    }

    /// The same, with another value for a directive without one, such as `max-stale`.
    public long seconds(String name, long bare) {
        return "".equals(directives.get(name)) ? bare : seconds(name);
    }

    /// The number that digits spell, [#SECONDS_MAX] at most; 0 for anything else.
    static long number(String digits) {
        long value = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return 0;
            }
            value = Math.min(SECONDS_MAX, value * 10 + digit);
        }
        return value;
    }

    @Override
    public String toString() {
        return directives.toString();
    }
}
