package io.margay.protocol.http;

import java.nio.charset.StandardCharsets;

/// Percent-encoding of texts by their octets in UTF-8 (RFC 3986 §2.1). Stateless.
public final class PercentEncoding {
    /// What stands for itself in a path, beside letters and digits: not `;`, `?` and `%`, which
    /// would begin something else.
    public static final String PATH = "/-._~!$&'()*+,=:@";

    private static final String HEX = "0123456789ABCDEF";

    private PercentEncoding() {}

    /// A decoded path, encoded.
    public static String path(String decoded) {
        return encode(decoded, PATH);
    }

    /// A decoded path, encoded.
    ///
    /// @param keepsSlashes whether it is one of which `%2F` and `%25` were not decoded
    ///   ([CanonicalPath#keepsSlashes])
    public static String path(String decoded, boolean keepsSlashes) {
        if (!keepsSlashes || decoded.indexOf('%') < 0) {
            return path(decoded);
        }
        StringBuilder made = new StringBuilder(decoded.length() + 16);
        int from = 0;
        for (int at = decoded.indexOf('%'); at >= 0; at = decoded.indexOf('%', from)) {
            boolean kept = decoded.startsWith("2F", at + 1) || decoded.startsWith("25", at + 1);
            made.append(path(decoded.substring(from, at)));
            made.append(kept ? decoded.substring(at, at + 3) : "%25");
            from = at + (kept ? 3 : 1);
        }
        return made.append(path(decoded.substring(from))).toString();
    }

    /// A request target in which all is encoded that may not stand there
    /// ([RequestTarget.Characters]).
    public static String target(String received) {
        int clean = 0;
        while (clean < received.length() && Octets.isTarget((byte) received.charAt(clean))) {
            clean++;
        }
        return clean == received.length() ? received : encode(received, PATH + ";?%[]");
    }

    /// Encodes all but letters and digits of ASCII and the characters of `kept`.
    public static String encode(String text, String kept) {
        int clean = 0;
        while (clean < text.length() && isPlain(text.charAt(clean), kept)) {
            clean++;
        }
        if (clean == text.length()) {
            return text;
        }
        StringBuilder made = new StringBuilder(text.length() + 16).append(text, 0, clean);
        for (byte octet : text.substring(clean).getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (octet & 0xff);
            if (isPlain(c, kept)) {
                made.append(c);
            } else {
                made.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
            }
        }
        return made.toString();
    }

    private static boolean isPlain(char c, String kept) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || kept.indexOf(c) >= 0;
    }
}
