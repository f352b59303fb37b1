package io.margay.gateway.login;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// Name and password of an `Authorization: Basic` field (RFC 7617). Immutable.
///
/// @param octets of the name, each as a character
/// @param password its octets
@SuppressWarnings("ArrayRecordComponent") // Made here, and never compared.
record Credentials(String octets, byte[] password) {
    private static final String SCHEME = "Basic";

    /// Null when there is no such field, or it is malformed: what is not Base64, lacks a colon or a
    /// name, or has control characters, which programs behind might take for an end.
    static @Nullable Credentials parse(@Nullable String field, LoginLimits limits) {
        if (field == null
                || field.length() <= SCHEME.length()
                || !field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                || field.charAt(SCHEME.length()) != ' ') {
            return null;
        }
        byte[] pair;
        try {
            pair = Base64.getDecoder().decode(field.substring(SCHEME.length()).strip());
        } catch (IllegalArgumentException _) {
            return null;
        }
        int colon = -1;
        for (int i = 0; i < pair.length; i++) {
            if ((pair[i] >= 0 && pair[i] < ' ') || pair[i] == 0x7f) {
                return null;
            }
            colon = colon < 0 && pair[i] == ':' ? i : colon;
        }
        if (colon <= 0 || pair.length - colon - 1 > limits.passwordBytesMax()) {
            return null;
        }
        return new Credentials(
                new String(pair, 0, colon, StandardCharsets.ISO_8859_1),
                Arrays.copyOfRange(pair, colon + 1, pair.length));
    }

    /// The name as a text: UTF-8, else what older clients send.
    String name() {
        byte[] bytes = octets.getBytes(StandardCharsets.ISO_8859_1);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            return octets;
        }
    }
}
