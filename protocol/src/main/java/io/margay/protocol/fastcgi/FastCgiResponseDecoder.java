package io.margay.protocol.fastcgi;

import io.margay.protocol.http.ResponseHead;
import org.jspecify.annotations.Nullable;

/// Decodes what an application sends: the gateway's side of FastCGI. One request at a time, never
/// multiplexed.
///
/// Confined to the thread that owns the connection; one per connection, [#reset] between requests.
/// Content comes piece by piece as it arrives, whatever the records' lengths. It refuses an end
/// without a head and content that differs from the declared length.
///
/// ```
/// HEAD --CGI head--> CONTENT --stream's end--> ENDING --END_REQUEST--> ENDED
///                    CONTENT --END_REQUEST--> ENDED
/// ```
public final class FastCgiResponseDecoder extends RecordDecoder<FastCgiResponseDecoder.Result> {
    /// What [#decode] found.
    public enum Result {
        /// Everything has been used, and more is needed.
        NEED_MORE,
        /// The head: see [#head].
        HEAD,
        /// Content: see [#dataFrom] and [#dataTo].
        DATA,
        /// Something for the log: see [#dataFrom] and [#dataTo].
        LOG,
        /// The response is complete.
        END,
        /// The application takes no request now; it has not looked at this one.
        OVERLOADED,
        /// Not FastCGI, or a response that contradicts itself; see [#error].
        ERROR
    }

    private enum State {
        HEAD,
        CONTENT,
        ENDING,
        ENDED
    }

    private static final long UNLIMITED = -1;

    private final CgiHeadReader headReader;

    private State state = State.HEAD;
    private boolean headRequest;
    private boolean silent;
    private long remaining;
    private long endBody;
    private @Nullable ResponseHead head;

    /// A decoder for one connection.
    public FastCgiResponseDecoder(FastCgiLimits limits) {
        super(Result.NEED_MORE, Result.ERROR);
        headReader = new CgiHeadReader(limits);
    }

    /// Prepares for the response to the next request.
    ///
    /// @param toHead whether that is a HEAD request, whose response has no content
    public void reset(boolean toHead) {
        restart();
        headReader.reset();
        state = State.HEAD;
        headRequest = toHead;
        endBody = 0;
        head = null;
    }

    @Override
    @Nullable Result begin() {
        if (state == State.ENDED) {
            return failed(FastCgiError.TYPE);
        }
        return switch (records.type()) {
            case FastCgi.STDOUT -> state == State.ENDING ? failed(FastCgiError.STREAM_ENDED) : null;
            case FastCgi.STDERR -> null;
            case FastCgi.END_REQUEST ->
                    records.length() == FastCgi.BODY_BYTES ? null : failed(FastCgiError.BODY);
            default -> failed(FastCgiError.TYPE);
        };
    }

    @Override
    @Nullable Result content(byte[] buffer) {
        return switch (records.type()) {
            case FastCgi.STDERR -> Result.LOG;
            case FastCgi.STDOUT -> state == State.HEAD ? head(buffer) : data();
            default -> endBody(buffer);
        };
    }

    private @Nullable Result head(byte[] buffer) {
        int used = headReader.read(buffer, dataFrom, dataTo);
        if (headReader.error() != null) {
            return failed(headReader.error());
        }
        if (!headReader.complete()) {
            return null;
        }
        records.giveBack(dataTo - used);
        consumed = records.consumed();
        ResponseHead complete = headReader.head(headRequest);
        if (complete == null) {
            return failed(headReader.error());
        }
        head = complete;
        silent = headRequest || complete.status() == 204 || complete.status() == 304;
        remaining = complete.contentLength() >= 0 ? complete.contentLength() : UNLIMITED;
        state = State.CONTENT;
        return Result.HEAD;
    }

    private @Nullable Result data() {
        if (silent) {
            // A script writes to HEAD what it writes to GET.
            return null;
        }
        int length = dataTo - dataFrom;
        if (remaining != UNLIMITED) {
            if (remaining == 0) {
                return failed(FastCgiError.BAD_LENGTH);
            }
            if (length > remaining) {
                // What is too much comes again, as an error whatever the pieces were.
                length = (int) remaining;
                records.giveBack(dataTo - dataFrom - length);
                consumed = records.consumed();
                dataTo = consumed;
            }
            remaining -= length;
        }
        return Result.DATA;
    }

    private @Nullable Result endBody(byte[] buffer) {
        for (int i = dataFrom; i < dataTo; i++) {
            endBody = endBody << 8 | (buffer[i] & 0xff);
        }
        return null;
    }

    @Override
    @Nullable Result end() {
        if (records.type() == FastCgi.STDOUT && records.length() == 0) {
            if (state == State.HEAD) {
                // The reason may be in END_REQUEST, which must follow.
                return null;
            }
            state = State.ENDING;
        }
        return records.type() == FastCgi.END_REQUEST ? over() : null;
    }

    private Result over() {
        int protocolStatus = (int) (endBody >>> 24 & 0xff);
        boolean untouched = state == State.HEAD;
        if (untouched && protocolStatus == FastCgi.OVERLOADED) {
            state = State.ENDED;
            return Result.OVERLOADED;
        }
        if (protocolStatus != FastCgi.REQUEST_COMPLETE) {
            return failed(FastCgiError.PROTOCOL_STATUS);
        }
        if (untouched) {
            return failed(FastCgiError.NO_HEAD);
        }
        if (!silent && remaining > 0) {
            return failed(FastCgiError.BAD_LENGTH);
        }
        state = State.ENDED;
        return Result.END;
    }

    /// What the application's process ended with, after END; 0 is good by custom.
    public int applicationStatus() {
        return (int) (endBody >>> 32);
    }

    /// The head, after HEAD.
    public ResponseHead head() {
        return known(head);
    }
}
