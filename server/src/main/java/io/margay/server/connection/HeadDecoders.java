package io.margay.server.connection;

import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http1.Http1Limits;
import io.margay.protocol.http1.Http1RequestDecoder;
import io.margay.transport.BufferPool;

/// Decoders of HTTP/1.x heads. A connection leases one while a head comes in, so that a connection
/// that idles has none, and the few that are in use stay in the processor's caches. Thread-safe,
/// without locks.
public final class HeadDecoders {
    /// Kept of each kind: a loop needs one, and one more for each head that comes in parts.
    private static final int KEPT = 64;

    private final BufferPool<Http1RequestDecoder> plain;
    private final BufferPool<Http1RequestDecoder> secure;

    HeadDecoders(Http1Limits limits, RequestTarget.Characters characters) {
        plain = pool(limits, characters, false);
        secure = pool(limits, characters, true);
    }

    private static BufferPool<Http1RequestDecoder> pool(
            Http1Limits limits, RequestTarget.Characters characters, boolean isSecure) {
        return new BufferPool<>(KEPT, () -> new Http1RequestDecoder(limits, isSecure, characters));
    }

    /// @param isSecure whether the requests are `https`
    public Http1RequestDecoder lease(boolean isSecure) {
        return (isSecure ? secure : plain).take();
    }

    /// Takes a decoder back that has decoded a whole head, and forgets that head.
    public void release(Http1RequestDecoder decoder) {
        decoder.reset();
        (decoder.isSecure() ? secure : plain).give(decoder);
    }
}
