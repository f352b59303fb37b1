package io.margay.servlet.engine.response;

import io.margay.protocol.http.PercentEncoding;
import io.margay.servlet.engine.application.Paths;
import io.margay.servlet.engine.request.ServerRequest;
import org.jspecify.annotations.Nullable;

/// Makes `Location` values.
final class Locations {
    private Locations() {}

    /// The location as it is sent: percent-encoded where it has to be, and absolute if asked for.
    ///
    /// @throws IllegalArgumentException when a relative location leads above the root
    static String of(String given, ServerRequest request, boolean absolute) {
        String location = encode(given);
        if (!absolute || hasScheme(location)) {
            return location;
        }
        String base = request.getScheme() + "://" + request.authority();
        if (location.startsWith("//")) {
            return request.getScheme() + ":" + location;
        }
        int end = pathEnd(location);
        String path = location.substring(0, end);
        String rest = location.substring(end);
        String uri = request.getRequestURI();
        if (path.isEmpty()) {
            return base + uri + rest;
        }
        String whole =
                path.startsWith("/") ? path : uri.substring(0, uri.lastIndexOf('/') + 1) + path;
        @Nullable String normal = Paths.normalise(whole);
        if (normal == null) {
            throw new IllegalArgumentException("the location leads above the root");
        }
        return base + normal + rest;
    }

    private static int pathEnd(String location) {
        for (int i = 0; i < location.length(); i++) {
            char c = location.charAt(i);
            if (c == '?' || c == '#') {
                return i;
            }
        }
        return location.length();
    }

    private static boolean hasScheme(String location) {
        for (int i = 0; i < location.length(); i++) {
            char c = location.charAt(i);
            if (c == ':') {
                return i > 0;
            }
            boolean letter = (c | 32) >= 'a' && (c | 32) <= 'z';
            boolean other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
            if (!letter && (i == 0 || !other)) {
                return false;
            }
        }
        return false;
    }

    private static String encode(String text) {
        StringBuilder encoded = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = c > ' ' && c < 127 && c != '"' && c != '<' && c != '>' && c != '\\';
            if (!plain && encoded == null) {
                encoded = new StringBuilder(text.length() + 16).append(text, 0, i);
            }
            if (encoded != null) {
                if (plain) {
                    encoded.append(c);
                } else {
                    int code = text.codePointAt(i);
                    encoded.append(PercentEncoding.path(Character.toString(code)));
                    i += Character.charCount(code) - 1;
                }
            }
        }
        return encoded == null ? text : encoded.toString();
    }
}
