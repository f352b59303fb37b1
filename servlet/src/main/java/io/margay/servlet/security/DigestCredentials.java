package io.margay.servlet.security;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The parameters of an `Authorization: Digest` field (RFC 7616 §3.4). Immutable.
record DigestCredentials(
        String username,
        String realm,
        String nonce,
        String uri,
        String response,
        String cnonce,
        String nc,
        DigestAlgorithm algorithm) {
    private static final String SCHEME = "Digest ";

    /// Null when there is no such field, it is malformed, lacks something, or asks for another
    /// quality of protection than `auth`.
    static @Nullable DigestCredentials parse(@Nullable String field) {
        if (field == null || !field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        Map<String, String> found = parameters(field.substring(SCHEME.length()));
        if (found == null || !"auth".equals(found.get("qop"))) {
            return null;
        }
        String username = found.get("username");
        String realm = found.get("realm");
        String nonce = found.get("nonce");
        String uri = found.get("uri");
        String response = found.get("response");
        String cnonce = found.get("cnonce");
        String nc = found.get("nc");
        DigestAlgorithm algorithm = DigestAlgorithm.of(found.get("algorithm"));
        if (username == null
                || realm == null
                || nonce == null
                || uri == null
                || response == null
                || cnonce == null
                || nc == null
                || algorithm == null
                || !nc.matches("[0-9a-fA-F]{8}")) {
            return null;
        }
        return new DigestCredentials(
                utf8(username), realm, nonce, uri, response, cnonce, nc, algorithm);
    }

    /// How often the client has used the nonce, by its own account.
    long count() {
        return Long.parseLong(nc, 16);
    }

    /// What `response` is when the client knows the password (RFC 7616 §3.4.1).
    ///
    /// @param ha1 hash of `name:realm:password`
    String expected(String ha1, String method) {
        return algorithm.hash(ha1, nonce, nc, cnonce, "auth", algorithm.hash(method, uri));
    }

    /// A field is read as octets; the challenge asks for UTF-8.
    private static String utf8(String octets) {
        return new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /// `name=token` and `name="quoted"` with commas between them; null when malformed or doubled.
    private static @Nullable Map<String, String> parameters(String text) {
        Map<String, String> found = new HashMap<>();
        int at = 0;
        while (at < text.length()) {
            int equals = text.indexOf('=', at);
            if (equals < 0) {
                return null;
            }
            String name = text.substring(at, equals).strip().toLowerCase(Locale.ROOT);
            StringBuilder value = new StringBuilder();
            int end = value(text, equals + 1, value);
            if (end < 0 || found.put(name, value.toString().strip()) != null) {
                return null;
            }
            at = end + 1;
        }
        return found;
    }

    /// Reads a value; answers where the comma or the end is, -1 when it is malformed.
    private static int value(String text, int from, StringBuilder value) {
        int at = from;
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
        if (at >= text.length() || text.charAt(at) != '"') {
            int comma = text.indexOf(',', at);
            int end = comma < 0 ? text.length() : comma;
            value.append(text, at, end);
            return end;
        }
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            if (text.charAt(at) == '\\') {
                at++;
            }
            if (at < text.length()) {
                value.append(text.charAt(at));
            }
            at++;
        }
        if (at >= text.length()) {
            return -1;
        }
        at++;
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
        return at == text.length() || text.charAt(at) == ',' ? at : -1;
    }
}
