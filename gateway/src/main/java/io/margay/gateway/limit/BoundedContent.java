package io.margay.gateway.limit;

import io.margay.protocol.http.ProtocolError;
import io.margay.server.exchange.DelegatingExchange;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.RequestBodyException;
import java.io.IOException;

/// An exchange whose request has no more content than its host takes, however it is sent. Owned as
/// the client's exchange is.
final class BoundedContent extends DelegatingExchange {
    static final ProtocolError TOO_LARGE =
            ProtocolError.of(413, "RFC 9110 §15.5.14", "the content is too large");

    private final long bytesMax;
    private final Runnable refused;
    private long read;
    private boolean raw;

    /// @param refused run when there is more
    BoundedContent(DialingExchange real, long bytesMax, Runnable refused) {
        super(real);
        this.bytesMax = bytesMax;
        this.refused = refused;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        requireRoom();
        return counted(real.read(target, offset, length));
    }

    @Override
    public int poll(byte[] target, int offset, int length) throws IOException {
        requireRoom();
        return counted(real.poll(target, offset, length));
    }

    private int counted(int count) throws RequestBodyException {
        if (count > 0 && !raw) {
            read += count;
            if (read > bytesMax) {
                refused.run();
                requireRoom();
            }
        }
        return count;
    }

    private void requireRoom() throws RequestBodyException {
        if (read > bytesMax) {
            throw new RequestBodyException(TOO_LARGE);
        }
    }

    @Override
    public void upgrade() throws IOException {
        raw = true;
        real.upgrade();
    }
}
