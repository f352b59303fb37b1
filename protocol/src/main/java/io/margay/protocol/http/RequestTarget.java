package io.margay.protocol.http;

import org.jspecify.annotations.Nullable;

/// What a request asks for (RFC 9112 §3.2), taken apart but not decoded.
///
/// @param form which of the four forms the client used
/// @param raw the target as received
/// @param rawPath the path as received, percent-encoded, with its parameters: at least `/`; `*` for
///   the asterisk form and empty for the authority form
/// @param rawQuery what follows the first `?`, or null
/// @param scheme `http` or `https` where the client or the connection tells it, else null
/// @param authority host and optional port from the absolute form or from `Host`, or null
public record RequestTarget(
        Form form,
        String raw,
        String rawPath,
        @Nullable String rawQuery,
        @Nullable String scheme,
        @Nullable String authority) {
    /// The four forms of RFC 9112 §3.2.
    public enum Form {
        ORIGIN,
        ABSOLUTE,
        AUTHORITY,
        ASTERISK
    }
}
