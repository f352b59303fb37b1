package io.margay.gateway.config;

import java.util.Locale;

/// What requests have in common that go to the same peer. Immutable.
///
/// @param name of the header or cookie; empty with the others
public record HashKey(Kind kind, String name) {
    /// Where it is.
    public enum Kind {
        CLIENT,
        PATH,
        HEADER,
        COOKIE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean isNamed() {
            return this == HEADER || this == COOKIE;
        }
    }

    /// The client's address.
    public static HashKey client() {
        return new HashKey(Kind.CLIENT, "");
    }

    public HashKey {
        if (kind.isNamed() != isName(name)) {
            throw new IllegalArgumentException("a header or cookie has a name");
        }
    }

    /// Whether it can be the name of a header or cookie.
    public static boolean isName(String text) {
        return text.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    }

    /// Of words, as in `client` or `cookie SID`.
    ///
    /// @throws IllegalArgumentException when it is none of these
    public static HashKey of(String text) {
        int space = text.indexOf(' ');
        String word = space < 0 ? text : text.substring(0, space);
        for (Kind kind : Kind.values()) {
            if (kind.word().equals(word)) {
                return new HashKey(kind, space < 0 ? "" : text.substring(space + 1));
            }
        }
        throw new IllegalArgumentException("not client, path, header NAME or cookie NAME");
    }

    @Override
    public String toString() {
        return name.isEmpty() ? kind.word() : kind.word() + " " + name;
    }
}
