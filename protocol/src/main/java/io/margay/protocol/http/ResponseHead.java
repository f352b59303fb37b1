package io.margay.protocol.http;

import org.jspecify.annotations.Nullable;

/// The head of a response as a client sees it, whichever protocol carried it (RFC 9110 §6).
///
/// Immutable; it shares no bytes with a connection's buffers. The decoder has already checked it.
///
/// @param status 100 to 599; below 200 it is interim and another head follows, but for 101
/// @param reason the reason phrase, ISO 8859-1; often empty, never to be interpreted
/// @param contentLength bytes of content that follow; 0 when none do, whatever `Content-Length`
///   says (HEAD, 1xx, 204, 304), [#UNKNOWN_LENGTH] when it is chunked, [#UNTIL_CLOSE] when it ends
///   with the connection
/// @param keepAlive whether the connection may carry another request after this response
public record ResponseHead(
        HttpVersion version,
        int status,
        String reason,
        Fields fields,
        long contentLength,
        boolean keepAlive) {
    /// The response is chunked: its length is known at its end only.
    public static final long UNKNOWN_LENGTH = RequestHead.UNKNOWN_LENGTH;

    /// The content ends where the connection does (RFC 9112 §6.3).
    public static final long UNTIL_CLOSE = -2;

    /// Whether this is an interim response after which another head follows.
    public boolean isInterim() {
        return status < 200 && status != 101;
    }

    /// The first value of a field, or null.
    public @Nullable String field(String name) {
        return fields.get(name);
    }
}
