package io.margay.servlet.security;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// Name and password of an `Authorization` field (RFC 7617). Immutable.
record BasicCredentials(String user, String password) {
    private static final String SCHEME = "Basic ";

    /// Without the password.
    @Override
    public String toString() {
        return "BasicCredentials[" + user + "]";
    }

    /// Null when there is no such field or it is malformed.
    static @Nullable BasicCredentials parse(@Nullable String field) {
        if (field == null || !field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(field.substring(SCHEME.length()).strip());
        } catch (IllegalArgumentException e) {
            return null;
        }
        String pair = decode(bytes);
        int colon = pair.indexOf(':');
        if (colon < 0 || hasControls(pair)) {
            return null;
        }
        return new BasicCredentials(pair.substring(0, colon), pair.substring(colon + 1));
    }

    private static boolean hasControls(String pair) {
        for (int i = 0; i < pair.length(); i++) {
            if (Character.isISOControl(pair.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /// UTF-8, which the challenge asks for, else what older clients send.
    private static String decode(byte[] bytes) {
        int plain = 0;
        while (plain < bytes.length && bytes[plain] >= 0) {
            plain++;
        }
        if (plain == bytes.length) { // Nearly always: of ASCII both make the same.
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    /// The `WWW-Authenticate` field that asks for one.
    static String challenge(String realmName) {
        return "Basic realm=" + quoted(realmName) + ", charset=\"UTF-8\"";
    }

    /// A text with spaces for what no field may hold.
    static String printable(String text) {
        return text.replaceAll("[^ -~]", " ");
    }

    /// A quoted string.
    static String quoted(String text) {
        String escaped = printable(text).replace("\\", "\\\\").replace("\"", "\\\"");
        return '"' + escaped + '"';
    }
}
