package io.margay.servlet.security;

import io.margay.server.users.DigestParameters;
import java.nio.charset.StandardCharsets;
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
    /// Null when there is no such field, it is malformed, lacks something, or asks for another
    /// quality of protection than `auth`.
    static @Nullable DigestCredentials parse(@Nullable String field) {
        Map<String, String> found = DigestParameters.of(field);
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
}
