package io.margay.shadow;

import io.margay.protocol.http.FieldList;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/// What each server says of a request that is its own: the values of its cookies, which a page may
/// show, and of which none may be in a report. Immutable.
///
/// @param old values of the old server's cookies
/// @param fresh those of the new server's
record OwnValues(Set<String> old, Set<String> fresh) {
    /// None.
    static final OwnValues NONE = new OwnValues(Set.of(), Set.of());

    /// Shorter ones are words that stand in texts anyway.
    private static final int CHARS_MIN = 8;

    /// How Java writes an object that cannot be written: `Class@1a2b3c4d`.
    private static final Pattern IDENTITY = Pattern.compile("(?<=[\\w$\\]]@)[0-9a-f]{5,8}\\b");

    private static final String GONE = "(own)";

    OwnValues {
        old = Set.copyOf(old);
        fresh = Set.copyOf(fresh);
    }

    /// With what both have set.
    OwnValues with(FieldList ofOld, FieldList ofFresh) {
        return new OwnValues(set(old, ofOld), set(fresh, ofFresh));
    }

    /// The same of the old server, twice.
    OwnValues twice(FieldList first, FieldList second) {
        Set<String> both = set(set(old, first), second);
        return new OwnValues(both, both);
    }

    private static Set<String> set(Set<String> known, FieldList fields) {
        Set<String> all = new LinkedHashSet<>(known);
        SetCookie.of(fields).forEach(cookie -> add(all, cookie.value()));
        return all;
    }

    /// Adds a value that can be told from other text.
    static void add(Set<String> all, String value) {
        if (value.length() >= CHARS_MIN) {
            all.add(value);
        }
    }

    byte[] ofOld(byte[] content, boolean text) {
        return without(content, old, text);
    }

    byte[] ofFresh(byte[] content, boolean text) {
        return without(content, fresh, text);
    }

    private static byte[] without(byte[] content, Set<String> values, boolean text) {
        String all = new String(content, StandardCharsets.ISO_8859_1);
        String made = all;
        for (String value : values) {
            made = made.replace(value, GONE);
        }
        if (text && made.indexOf('@') >= 0) {
            made = IDENTITY.matcher(made).replaceAll(GONE);
        }
        return made.equals(all) ? content : made.getBytes(StandardCharsets.ISO_8859_1);
    }
}
