package io.margay.gateway.config;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/// What requests have in common that go to the same peer, or to the same version. Immutable.
///
/// @param name of the header or cookie; empty with the others
public record HashKey(Kind kind, String name) {
    /// Where it is.
    public enum Kind {
        /// A cookie of the gateway's own.
        SESSION,
        CLIENT,
        USER,
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

    private static final Set<Kind> OF_PEERS =
            EnumSet.of(Kind.CLIENT, Kind.PATH, Kind.HEADER, Kind.COOKIE);

    private static final Set<Kind> OF_VERSIONS = EnumSet.complementOf(EnumSet.of(Kind.PATH));

    /// The client's address.
    public static HashKey client() {
        return new HashKey(Kind.CLIENT, "");
    }

    public HashKey {
        if (kind.isNamed() != isName(name)) {
            throw new IllegalArgumentException("a header or cookie has a name");
        }
    }

    private static boolean isName(String text) {
        return text.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    }

    /// By which peers are chosen, of words as in `client` or `cookie SID`.
    ///
    /// @throws IllegalArgumentException when it is none of these
    public static HashKey of(String text) {
        return of(text, OF_PEERS, "not client, path, header NAME or cookie NAME");
    }

    /// The same by which versions are chosen, which may be `session` or `user`, too, but no path.
    public static HashKey ofVersions(String text) {
        return of(text, OF_VERSIONS, "");
    }

    private static HashKey of(String text, Set<Kind> kinds, String otherwise) {
        int space = text.indexOf(' ');
        String word = space < 0 ? text : text.substring(0, space);
        for (Kind kind : kinds) {
            if (kind.word().equals(word)) {
                return new HashKey(kind, space < 0 ? "" : text.substring(space + 1));
            }
        }
        throw new IllegalArgumentException(otherwise);
    }

    @Override
    public String toString() {
        return name.isEmpty() ? kind.word() : kind.word() + " " + name;
    }
}
