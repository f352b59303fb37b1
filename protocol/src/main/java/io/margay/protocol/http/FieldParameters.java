package io.margay.protocol.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A field value with parameters, such as `Content-Type` and `Content-Disposition` have (RFC 9110
/// §5.6.6).
///
/// @param value what stands before the first `;`, in lower case
/// @param parameters by name in lower case; the first of equal names wins
public record FieldParameters(String value, Map<String, String> parameters) {
    public FieldParameters {
        parameters = Map.copyOf(parameters);
    }

    /// Reads a value, or gives null when it is malformed.
    public static @Nullable FieldParameters parse(String text) {
        int semicolon = text.indexOf(';');
        String value = (semicolon < 0 ? text : text.substring(0, semicolon)).strip();
        Map<String, String> parameters = new LinkedHashMap<>();
        int p = semicolon < 0 ? text.length() : semicolon + 1;
        while (p < text.length()) {
            p = skipSpace(text, p);
            int nameFrom = p;
            while (p < text.length() && isToken(text.charAt(p))) {
                p++;
            }
            if (p == nameFrom) {
                if (p < text.length() && text.charAt(p) != ';') {
                    return null;
                }
                p++;
                continue;
            }
            String name = text.substring(nameFrom, p).toLowerCase(Locale.ROOT);
            p = skipSpace(text, p);
            if (p == text.length() || text.charAt(p) != '=') {
                return null;
            }
            p = skipSpace(text, p + 1);
            StringBuilder content = new StringBuilder();
            p = readValue(text, p, content);
            if (p < 0) {
                return null;
            }
            parameters.putIfAbsent(name, content.toString());
            p = skipSpace(text, p);
            if (p < text.length() && text.charAt(p++) != ';') {
                return null;
            }
        }
        return new FieldParameters(value.toLowerCase(Locale.ROOT), parameters);
    }

    /// The value of a parameter, or null.
    public @Nullable String parameter(String lowerCaseName) {
        return parameters.get(lowerCaseName);
    }

    /// The value of a parameter, preferring its extended form `name*` (RFC 8187) if that is valid.
    public @Nullable String extendedParameter(String lowerCaseName) {
        String extended = parameters.get(lowerCaseName + "*");
        String decoded = extended == null ? null : decodeExtended(extended);
        return decoded == null ? parameters.get(lowerCaseName) : decoded;
    }

    /// Reads a token or quoted string; gives the offset after it, or -1.
    ///
    /// A backslash escapes a quote or backslash only: browsers send Windows paths unescaped.
    private static int readValue(String text, int from, StringBuilder content) {
        int p = from;
        if (p == text.length() || text.charAt(p) != '"') {
            while (p < text.length() && isBareValue(text.charAt(p))) {
                content.append(text.charAt(p++));
            }
            return p;
        }
        for (p++; p < text.length(); p++) {
            char c = text.charAt(p);
            if (c == '"') {
                return p + 1;
            }
            if (c == '\\' && p + 1 < text.length()) {
                char next = text.charAt(p + 1);
                if (next == '"' || next == '\\') {
                    c = next;
                    p++;
                }
            }
            content.append(c);
        }
        return -1;
    }

    private static @Nullable String decodeExtended(String text) {
        int first = text.indexOf('\'');
        int second = first < 0 ? -1 : text.indexOf('\'', first + 1);
        if (second < 0) {
            return null;
        }
        Charset charset =
                switch (text.substring(0, first).toLowerCase(Locale.ROOT)) {
                    case "utf-8" -> StandardCharsets.UTF_8;
                    case "iso-8859-1" -> StandardCharsets.ISO_8859_1;
                    default -> null;
                };
        if (charset == null) {
            return null;
        }
        ByteBuffer octets = ByteBuffer.allocate(text.length());
        for (int p = second + 1; p < text.length(); p++) {
            char c = text.charAt(p);
            int octet = c;
            if (c == '%') {
                if (p + 2 >= text.length()) {
                    return null;
                }
                int high = Octets.hexValue(text.charAt(p + 1));
                int low = Octets.hexValue(text.charAt(p + 2));
                octet = high < 0 || low < 0 ? -1 : high << 4 | low;
                p += 2;
            } else if (!isToken(c)) {
                octet = -1;
            }
            if (octet < 0) {
                return null;
            }
            octets.put((byte) octet);
        }
        try {
            return charset.newDecoder().decode(octets.flip()).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static boolean isToken(char c) {
        return c < 128 && Octets.isToken((byte) c);
    }

    private static boolean isBareValue(char c) {
        return c > ' ' && c != ';' && c != '"' && c != ',' && c != 127;
    }

    private static int skipSpace(String text, int from) {
        int p = from;
        while (p < text.length() && (text.charAt(p) == ' ' || text.charAt(p) == '\t')) {
            p++;
        }
        return p;
    }
}
