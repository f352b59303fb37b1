package io.margay.protocol.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An entity tag (RFC 9110 §8.8.3).
///
/// @param opaque what stands between the quotes
public record EntityTag(boolean weak, String opaque) {
    public EntityTag {
        for (int i = 0; i < opaque.length(); i++) {
            if (!isTagCharacter(opaque.charAt(i))) {
                throw new IllegalArgumentException("an entity tag holds an invalid character");
            }
        }
    }

    /// A strong tag.
    public static EntityTag strong(String opaque) {
        return new EntityTag(false, opaque);
    }

    /// A weak tag.
    public static EntityTag weak(String opaque) {
        return new EntityTag(true, opaque);
    }

    /// Reads one tag, such as `W/"a1"`, or gives null.
    public static @Nullable EntityTag parse(String text) {
        List<EntityTag> tags = parseList(text);
        return tags != null && tags.size() == 1 ? tags.getFirst() : null;
    }

    /// Reads a list of tags, or gives null when it is malformed.
    public static @Nullable List<EntityTag> parseList(String text) {
        List<EntityTag> tags = new ArrayList<>(2);
        int p = skip(text, 0);
        while (p < text.length()) {
            boolean weak = text.startsWith("W/", p);
            int quote = weak ? p + 2 : p;
            if (quote >= text.length() || text.charAt(quote) != '"') {
                return null;
            }
            int end = quote + 1;
            while (end < text.length() && isTagCharacter(text.charAt(end))) {
                end++;
            }
            if (end == text.length() || text.charAt(end) != '"') {
                return null;
            }
            tags.add(new EntityTag(weak, text.substring(quote + 1, end)));
            p = skipSpace(text, end + 1);
            if (p < text.length() && text.charAt(p) != ',') {
                return null;
            }
            p = skip(text, p);
        }
        return tags;
    }

    /// Strong comparison (RFC 9110 §8.8.3.2): both strong and equal.
    public boolean matchesStrongly(EntityTag other) {
        return !weak && !other.weak && opaque.equals(other.opaque);
    }

    /// Weak comparison: equal, whether weak or not.
    public boolean matchesWeakly(EntityTag other) {
        return opaque.equals(other.opaque);
    }

    /// The tag as it stands in a field.
    @Override
    public String toString() {
        return (weak ? "W/\"" : "\"") + opaque + '"';
    }

    private static boolean isTagCharacter(char c) {
        return c == '!' || (c > '"' && c < 127) || (c > 127 && c < 256);
    }

    /// Skips white space and commas between list members.
    private static int skip(String text, int from) {
        int p = skipSpace(text, from);
        while (p < text.length() && text.charAt(p) == ',') {
            p = skipSpace(text, p + 1);
        }
        return p;
    }

    private static int skipSpace(String text, int from) {
        int p = from;
        while (p < text.length() && (text.charAt(p) == ' ' || text.charAt(p) == '\t')) {
            p++;
        }
        return p;
    }
}
