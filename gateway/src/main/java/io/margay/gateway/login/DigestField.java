package io.margay.gateway.login;

import io.margay.server.users.DigestParameters;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What an `Authorization: Digest` field says (RFC 7616), with MD5 and `qop=auth`, which is all
/// that files of `htdigest` are for. Immutable.
///
/// @param octets of the name, each as a character
/// @param uri that the client says that it asks for
record DigestField(
        String octets,
        String realm,
        String nonce,
        String uri,
        String count,
        String clientNonce,
        String response) {
    /// Null when there is no such field, it is malformed, or says something that is not supported.
    static @Nullable DigestField parse(@Nullable String field) {
        Map<String, String> found = DigestParameters.of(field);
        if (found == null) {
            return null;
        }
        boolean supported =
                found.getOrDefault("algorithm", "MD5").equalsIgnoreCase("MD5")
                        && found.getOrDefault("userhash", "false").equals("false")
                        && "auth".equals(found.get("qop"))
                        && found.getOrDefault("nc", "").matches("[0-9a-fA-F]{8}")
                        && found.getOrDefault("response", "").matches("[0-9a-fA-F]{32}")
                        && !found.containsKey("username*");
        String name = found.getOrDefault("username", "");
        boolean sound = name.chars().noneMatch(c -> c < ' ' || c == 0x7f || c == ':');
        return supported && sound && !name.isEmpty()
                ? new DigestField(
                        name,
                        found.getOrDefault("realm", ""),
                        found.getOrDefault("nonce", ""),
                        found.getOrDefault("uri", ""),
                        found.getOrDefault("nc", ""),
                        found.getOrDefault("cnonce", ""),
                        found.getOrDefault("response", "").toLowerCase(Locale.ROOT))
                : null;
    }

    /// The name as a text.
    String name() {
        return new Credentials(octets, new byte[0]).name();
    }

    /// Whether it is from somebody who knows the password.
    ///
    /// @param secret hash of name, realm and password, in hexadecimal
    boolean isFrom(String secret, String method) {
        String parts = nonce + ":" + count + ":" + clientNonce + ":auth:";
        String expected = md5(secret + ":" + parts + md5(method + ":" + uri));
        return MessageDigest.isEqual(
                expected.getBytes(StandardCharsets.ISO_8859_1),
                response.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String md5(String octets) {
        try {
            byte[] bytes = octets.getBytes(StandardCharsets.ISO_8859_1);
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }
}
