package io.margay.protocol.http;

import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/// The head of a request as every engine sees it, whichever protocol carried it (RFC 9110 §6).
///
/// Immutable; it shares no bytes with a connection's buffers, so it may outlive its exchange. The
/// decoder has already checked it: the method is a token, the target is well formed, the framing is
/// unambiguous, and `Host` occurs exactly once with HTTP/1.1.
///
/// @param method the method token, case as received; the usual ones are interned constants
/// @param target the request target
/// @param fields header fields
/// @param contentLength declared length of the content in bytes; [#NO_BODY] when there is none,
///   [#UNKNOWN_LENGTH] when it is chunked
/// @param expectContinue whether the client waits for `100 Continue` (RFC 9110 §10.1.1)
/// @param keepAlive whether the client is willing to send another request on this connection
@RecordBuilder
public record RequestHead(
        String method,
        RequestTarget target,
        HttpVersion version,
        Fields fields,
        long contentLength,
        boolean expectContinue,
        boolean keepAlive)
        implements RequestHeadBuilder.With {
    /// The request has no content.
    public static final long NO_BODY = 0;

    /// The content's length is known at its end only.
    public static final long UNKNOWN_LENGTH = -1;

    /// Whether the method is HEAD, whose response carries no content.
    public boolean isHead() {
        return method.equals("HEAD");
    }

    /// The first value of a header field, or null.
    public @Nullable String field(String name) {
        return fields.get(name);
    }
}
