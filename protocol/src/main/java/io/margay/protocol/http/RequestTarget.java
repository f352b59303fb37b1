package io.margay.protocol.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// What a request asks for (RFC 9112 §3.2), taken apart but not decoded.
///
/// @param form which of the four forms the client used
/// @param raw the target as received
/// @param rawPath the path as received, percent-encoded, with its parameters: at least `/`; `*` for
///   the asterisk form and empty for the authority form
/// @param rawQuery what follows the first `?`, or null
/// @param scheme `http` or `https` where the client or the connection tells it, else null
/// @param authority host and optional port from the absolute form or from `Host`, or null
public record RequestTarget(
        Form form,
        String raw,
        String rawPath,
        @Nullable String rawQuery,
        @Nullable String scheme,
        @Nullable String authority) {
    /// The four forms of RFC 9112 §3.2.
    public enum Form {
        ORIGIN,
        ABSOLUTE,
        AUTHORITY,
        ASTERISK
    }

    /// Which octets may stand in the path and the query of a request target: those of RFC 3986, and
    /// what is let in besides for clients that do not encode it. Immutable.
    public static final class Characters {
        /// What may be let in besides: printable, and in no part of a URI.
        public static final String RELAXABLE = "\"<>\\^`{|}";

        /// Those of RFC 3986.
        public static final Characters STRICT = of("", "");

        private final String path;
        private final String query;
        private final boolean[] inPath;
        private final boolean[] inQuery;
        private final boolean[] anywhere;

        private Characters(String path, String query) {
            this.path = path;
            this.query = query;
            inPath = table(path);
            inQuery = table(query);
            anywhere = table(path + query);
        }

        /// With further characters.
        ///
        /// @throws IllegalArgumentException for one that is not of [#RELAXABLE]
        public static Characters of(String path, String query) {
            return new Characters(checked(path), checked(query));
        }

        private static String checked(String characters) {
            String known = known(characters);
            if (characters.chars().anyMatch(c -> known.indexOf(c) < 0)) {
                throw new IllegalArgumentException(
                        "\"" + characters + "\": one is none of the characters " + RELAXABLE);
            }
            return known;
        }

        /// Those of a text that may be let in, in the order of [#RELAXABLE].
        public static String known(String characters) {
            StringBuilder found = new StringBuilder();
            RELAXABLE
                    .chars()
                    .filter(c -> characters.indexOf(c) >= 0)
                    .forEach(c -> found.append((char) c));
            return found.toString();
        }

        private static boolean[] table(String further) {
            boolean[] table = new boolean[256];
            for (int i = 0; i < table.length; i++) {
                table[i] = Octets.isTarget((byte) i) || further.indexOf(i) >= 0;
            }
            return table;
        }

        /// What a path may have besides, in the order of [#RELAXABLE].
        public String path() {
            return path;
        }

        /// What a query may have besides.
        public String query() {
            return query;
        }

        /// Whether nothing is let in besides.
        public boolean isStrict() {
            return path.isEmpty() && query.isEmpty();
        }

        /// Whether an octet may stand anywhere in a target; where, [#fits] says.
        public boolean isTarget(byte octet) {
            return anywhere[octet & 0xff];
        }

        /// Whether all octets of a target stand where they may.
        public boolean fits(byte[] bytes, int from, int to) {
            boolean[] table = inPath;
            for (int i = from; i < to; i++) {
                if (!table[bytes[i] & 0xff]) {
                    return false;
                }
                if (bytes[i] == '?') {
                    table = inQuery;
                }
            }
            return true;
        }

        /// The same for a text of ISO 8859-1.
        public boolean fits(String target) {
            byte[] bytes = target.getBytes(StandardCharsets.ISO_8859_1);
            return bytes.length == target.length() && fits(bytes, 0, bytes.length);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Characters those
                    && path.equals(those.path)
                    && query.equals(those.query);
        }

        @Override
        public int hashCode() {
            return 31 * path.hashCode() + query.hashCode();
        }

        @Override
        public String toString() {
            return "path " + path + ", query " + query;
        }
    }
}
