package io.margay.gateway.login;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    private static final String SCHEME = "Digest ";
    private static final int PARAMETERS_MAX = 20;

    private static final Pattern PARAMETER =
            Pattern.compile(
                    "[ \\t]*([A-Za-z0-9*-]{1,20})=(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\", \\t]++))"
                            + "[ \\t]*(?:,|$)");

    /// Null when there is no such field, it is malformed, or says something that is not supported.
    static @Nullable DigestField parse(@Nullable String field) {
        if (field == null || !field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        Map<String, String> found = new HashMap<>();
        Matcher matcher = PARAMETER.matcher(field);
        int at = SCHEME.length();
        while (at < field.length()) {
            if (!matcher.region(at, field.length()).lookingAt()
                    || found.size() == PARAMETERS_MAX
                    || found.put(matcher.group(1).toLowerCase(Locale.ROOT), value(matcher))
                            != null) {
                return null;
            }
            at = matcher.end();
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

    private static String value(Matcher matcher) {
        String quoted = matcher.group(2);
        return quoted == null ? matcher.group(3) : quoted.replaceAll("\\\\(.)", "$1");
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
