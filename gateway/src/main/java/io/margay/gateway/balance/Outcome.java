package io.margay.gateway.balance;

/// How an attempt to have a request answered by a peer ended.
public enum Outcome {
    /// The response came whole.
    OK,

    /// The client left or broke the protocol; the peer is not to blame.
    CLIENT_FAILED,

    /// No connection; nothing was sent.
    CONNECT_FAILED,

    /// The TLS handshake failed, as it does when the peer's certificate is not trusted; nothing was
    /// sent.
    TLS_FAILED,

    /// The pool had no connection in time; nothing was sent.
    BUSY,

    /// The gateway has no memory for what the peer or the client does not take; the peer is not to
    /// blame.
    NO_MEMORY,

    /// The peer does not take requests of this kind, such as extended CONNECT; nothing was sent.
    UNSUPPORTED,

    /// A connection did not answer CPING; nothing was sent.
    PING_FAILED,

    /// The connection broke or the response was malformed.
    BROKEN,

    /// The response did not begin in time.
    REPLY_TIMEOUT,

    /// The status is one that counts as an error of the peer.
    BAD_STATUS,

    /// The status is one that gives the client 503 and leaves the peer as it is.
    SOFT_BAD_STATUS,

    /// The peer has not run the request, which another may; it is not to blame.
    DECLINED,

    /// Another member has answered the request sooner; nothing is known of this one.
    OUTRUN;

    private static final int SERVER_ERROR = 500;
    private static final int NOT_IMPLEMENTED = 501;
    private static final int VERSION_NOT_SUPPORTED = 505;

    /// Whether an answer's status tells of the server, and not of the request.
    public static boolean hasFailed(int status) {
        return status >= SERVER_ERROR
                && status != NOT_IMPLEMENTED
                && status != VERSION_NOT_SUPPORTED;
    }

    /// Whether it is the peer's failure, with no answer that counts by itself.
    boolean isOfPeer() {
        return switch (this) {
            case CONNECT_FAILED, TLS_FAILED, PING_FAILED, BROKEN, REPLY_TIMEOUT -> true;
            case OK,
                    CLIENT_FAILED,
                    BUSY,
                    NO_MEMORY,
                    UNSUPPORTED,
                    BAD_STATUS,
                    SOFT_BAD_STATUS,
                    DECLINED,
                    OUTRUN ->
                    false;
        };
    }
}
