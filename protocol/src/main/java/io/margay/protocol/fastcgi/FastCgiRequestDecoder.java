package io.margay.protocol.fastcgi;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Decodes what a web server sends: the application's side of FastCGI. One request at a time.
///
/// Confined to the thread that owns the connection; one per connection, [#reset] between requests.
///
/// ```
/// START --BEGIN_REQUEST--> PARAMETERS --stream's end--> CONTENT --stream's end--> ENDED
/// ```
public final class FastCgiRequestDecoder extends RecordDecoder<FastCgiRequestDecoder.Result> {
    /// What [#decode] found.
    public enum Result {
        /// Everything has been used, and more is needed.
        NEED_MORE,
        /// A request with its parameters: see [#parameters].
        REQUEST,
        /// Content: see [#dataFrom] and [#dataTo].
        DATA,
        /// The content is over.
        DATA_END,
        /// The web server gives the request up.
        ABORT,
        /// Not FastCGI; see [#error].
        ERROR
    }

    private enum State {
        START,
        PARAMETERS,
        CONTENT,
        ENDED
    }

    private final PairReader pairs;

    private State state = State.START;
    private int begin;
    private int beginBytes;
    private boolean keep;
    private @Nullable Map<String, String> parameters;

    /// A decoder for one connection.
    public FastCgiRequestDecoder(FastCgiLimits limits) {
        super(Result.NEED_MORE, Result.ERROR);
        pairs = new PairReader(limits);
    }

    /// Prepares for the next request.
    public void reset() {
        restart();
        pairs.reset();
        state = State.START;
        begin = 0;
        beginBytes = 0;
        keep = false;
        parameters = null;
    }

    @Override
    @Nullable Result begin() {
        boolean expected =
                switch (records.type()) {
                    case FastCgi.BEGIN_REQUEST -> state == State.START;
                    case FastCgi.PARAMS -> state == State.PARAMETERS;
                    case FastCgi.STDIN -> state == State.CONTENT;
                    case FastCgi.ABORT_REQUEST -> state != State.START;
                    default -> false;
                };
        if (!expected) {
            return failed(FastCgiError.TYPE);
        }
        boolean wrong =
                records.type() == FastCgi.BEGIN_REQUEST && records.length() != FastCgi.BODY_BYTES;
        return wrong ? failed(FastCgiError.BODY) : null;
    }

    @Override
    @Nullable Result content(byte[] buffer) {
        switch (records.type()) {
            case FastCgi.STDIN -> {
                return Result.DATA;
            }
            case FastCgi.PARAMS -> pairs.read(buffer, dataFrom, dataTo);
            case FastCgi.BEGIN_REQUEST -> {
                for (int i = dataFrom; i < dataTo; i++, beginBytes++) {
                    begin = beginBytes < 3 ? begin << 8 | (buffer[i] & 0xff) : begin;
                }
            }
            default -> {}
        }
        return pairs.error() == null ? null : failed(pairs.error());
    }

    @Override
    @Nullable Result end() {
        return switch (records.type()) {
            case FastCgi.BEGIN_REQUEST -> begun();
            case FastCgi.PARAMS -> records.length() == 0 ? request() : null;
            case FastCgi.STDIN -> records.length() == 0 ? contentEnd() : null;
            default -> Result.ABORT;
        };
    }

    private @Nullable Result begun() {
        if (begin >> 8 != FastCgi.ROLE_RESPONDER) {
            return failed(FastCgiError.TYPE);
        }
        keep = (begin & FastCgi.KEEP_CONNECTION) != 0;
        state = State.PARAMETERS;
        return null;
    }

    private Result contentEnd() {
        state = State.ENDED;
        return Result.DATA_END;
    }

    private Result request() {
        parameters = pairs.finish();
        if (parameters == null) {
            return failed(pairs.error());
        }
        state = State.CONTENT;
        return Result.REQUEST;
    }

    /// Whether the web server wants the connection kept.
    public boolean keep() {
        return keep;
    }

    /// The parameters, after REQUEST.
    public Map<String, String> parameters() {
        return known(parameters);
    }
}
