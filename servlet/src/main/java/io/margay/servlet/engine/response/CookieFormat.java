package io.margay.servlet.engine.response;

import io.margay.protocol.http.HttpDate;
import io.margay.protocol.http.Octets;
import jakarta.servlet.http.Cookie;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;

/// Writes `Set-Cookie` values (RFC 6265 §4.1).
final class CookieFormat {
    private static final String EPOCH = HttpDate.format(0);

    /// Labels of letters, digits and hyphens, which neither begin nor end with a hyphen.
    private static final Pattern DOMAIN =
            Pattern.compile(
                    "\\.?[0-9A-Za-z]([0-9A-Za-z-]*[0-9A-Za-z])?"
                            + "(\\.[0-9A-Za-z]([0-9A-Za-z-]*[0-9A-Za-z])?)*+");

    private CookieFormat() {}

    /// @throws IllegalArgumentException when name, value or an attribute cannot be sent
    static String format(Cookie cookie, long nowMillis) {
        if (!Octets.isToken(cookie.getName())) {
            throw new IllegalArgumentException("no name for a cookie");
        }
        StringBuilder text = new StringBuilder(64);
        text.append(cookie.getName()).append('=');
        String value = cookie.getValue();
        if (value != null) {
            requireValue(value);
            text.append(octets(value));
        }
        appendMaxAge(text, cookie.getMaxAge(), nowMillis);
        for (Map.Entry<String, String> attribute : cookie.getAttributes().entrySet()) {
            append(text, attribute.getKey(), attribute.getValue());
        }
        return text.toString();
    }

    private static void appendMaxAge(StringBuilder text, int seconds, long nowMillis) {
        if (seconds > 0) {
            text.append("; Max-Age=").append(seconds).append("; Expires=");
            text.append(HttpDate.format(nowMillis / 1000 + seconds));
        } else if (seconds == 0) {
            // A server may not send Max-Age=0 (RFC 6265 §4.1.1).
            text.append("; Expires=").append(EPOCH);
        }
    }

    private static void append(StringBuilder text, String name, String value) {
        switch (name.toLowerCase(java.util.Locale.ROOT)) {
            case "domain" -> {
                if (value != null && !value.isEmpty()) {
                    requireDomain(value);
                    text.append("; ").append(name).append('=').append(value);
                }
            }
            case "max-age", "expires" -> {
                // Written from the cookie's own age.
            }
            case "secure", "httponly", "partitioned" -> {
                if (value == null || value.isEmpty() || Boolean.parseBoolean(value)) {
                    text.append("; ").append(name);
                }
            }
            default -> {
                requireAttribute(name, value);
                text.append("; ").append(name);
                if (value != null && !value.isEmpty()) {
                    text.append('=').append(value);
                }
            }
        }
    }

    /// A value as its UTF-8 bytes, one to a character, which is how fields are sent.
    private static String octets(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) > 127) {
                byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
                return new String(bytes, StandardCharsets.ISO_8859_1);
            }
        }
        return value;
    }

    private static void requireValue(String value) {
        int from = 0;
        int to = value.length();
        if (to > 1 && value.charAt(0) == '"' && value.charAt(to - 1) == '"') {
            from++;
            to--;
        }
        for (int i = from; i < to; i++) {
            char c = value.charAt(i);
            if (c <= ' ' || c == '"' || c == ',' || c == ';' || c == '\\' || c == 127) {
                throw new IllegalArgumentException("a cookie value holds a character it must not");
            }
        }
    }

    /// A host name, or one behind a period, which clients ignore (RFC 6265 §5.2.3).
    private static void requireDomain(String domain) {
        if (!DOMAIN.matcher(domain).matches()) {
            throw new IllegalArgumentException("'" + domain + "' is not a domain for a cookie");
        }
    }

    private static void requireAttribute(String name, String value) {
        boolean valid = Octets.isToken(name);
        for (int i = 0; valid && value != null && i < value.length(); i++) {
            char c = value.charAt(i);
            valid = c >= ' ' && c != ';' && c < 127;
        }
        if (!valid) {
            throw new IllegalArgumentException("a cookie attribute holds a character it must not");
        }
    }
}
