package io.margay.gateway.protocol;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// The key of a WebSocket handshake over HTTP/1.1 and the response to it (RFC 6455 §4). HTTP/2 has
/// neither (RFC 8441 §5), so that a gateway between the two has to make them. Stateless.
public final class WebSocketKey {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int KEY_BYTES = 16;
    private static final int KEY_LENGTH = 24;
    private static final String KNOWN = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private WebSocketKey() {}

    /// A key for one handshake.
    public static String make() {
        byte[] bytes = new byte[KEY_BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    /// Whether this is a key.
    public static boolean isValid(@Nullable String key) {
        if (key == null || key.length() != KEY_LENGTH) {
            return false;
        }
        try {
            return Base64.getDecoder().decode(key).length == KEY_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// What a server that has understood says to a key in `Sec-WebSocket-Accept`.
    public static String accept(String key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-1");
            byte[] hash = digest.digest((key + KNOWN).getBytes(StandardCharsets.ISO_8859_1));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
