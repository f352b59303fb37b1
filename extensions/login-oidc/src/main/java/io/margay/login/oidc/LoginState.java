package io.margay.login.oidc;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is known of a login while the user is at the provider, as its cookie says it. Immutable.
///
/// @param state that comes back with the user; its first digit is the number of the cookie
/// @param nonce that the ID token must have
/// @param verifier of which the provider knows the digest (RFC 7636)
/// @param target path and query that the user has asked for
/// @param createdMillis when the user was sent there
record LoginState(String state, String nonce, String verifier, String target, long createdMillis) {
    private static final int PARTS = 5;

    byte[] encode() {
        return String.join("\n", state, nonce, verifier, Long.toString(createdMillis), target)
                .getBytes(StandardCharsets.UTF_8);
    }

    /// What a cookie says; null when another version has made it.
    static @Nullable LoginState decode(byte[] bytes) {
        List<String> parts = List.of(new String(bytes, StandardCharsets.UTF_8).split("\n", PARTS));
        return parts.size() == PARTS
                ? new LoginState(
                        parts.get(0),
                        parts.get(1),
                        parts.get(2),
                        parts.get(4),
                        Long.parseLong(parts.get(3)))
                : null;
    }
}
