package io.margay.protocol.fastcgi;

import io.margay.protocol.http.ProtocolError;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Decodes what a web server sends: the application's side of FastCGI. One request at a time.
///
/// Confined to the thread that owns the connection; one per connection, [#reset] between requests.
///
/// ```
/// START --BEGIN_REQUEST--> PARAMETERS --stream's end--> CONTENT --stream's end--> ENDED
/// ```
public final class FastCgiRequestDecoder {
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

    private final RecordReader records = new RecordReader();
    private final PairReader pairs;

    private State state = State.START;
    private int begin;
    private int beginBytes;
    private boolean keep;
    private int consumed;
    private int dataFrom;
    private int dataTo;
    private @Nullable Map<String, String> parameters;
    private @Nullable ProtocolError error;

    /// A decoder for one connection.
    public FastCgiRequestDecoder(FastCgiLimits limits) {
        pairs = new PairReader(limits);
    }

    /// Prepares for the next request.
    public void reset() {
        records.reset();
        pairs.reset();
        state = State.START;
        begin = 0;
        beginBytes = 0;
        keep = false;
        parameters = null;
        error = null;
    }

    /// Uses up what has been received, up to the next thing to tell.
    public Result decode(byte[] buffer, int from, int to) {
        consumed = from;
        while (error == null) {
            RecordReader.Step step = records.step(buffer, consumed, to);
            consumed = records.consumed();
            Result result =
                    switch (step) {
                        case NEED_MORE -> Result.NEED_MORE;
                        case BEGIN -> begin();
                        case CONTENT -> content(buffer);
                        case END -> end();
                        case ERROR -> failed(records.error());
                    };
            if (result != null) {
                return result;
            }
        }
        return Result.ERROR;
    }

    private Result failed(@Nullable ProtocolError fault) {
        error = fault;
        return Result.ERROR;
    }

    private @Nullable Result begin() {
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

    private @Nullable Result content(byte[] buffer) {
        dataFrom = records.from();
        dataTo = records.consumed();
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

    private @Nullable Result end() {
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

    /// Offset after what has been used.
    public int consumed() {
        return consumed;
    }

    /// Offset of the content's first byte, after DATA.
    public int dataFrom() {
        return dataFrom;
    }

    /// Offset after the content's last byte, after DATA.
    public int dataTo() {
        return dataTo;
    }

    /// Whether the web server wants the connection kept.
    public boolean keep() {
        return keep;
    }

    /// The parameters, after REQUEST.
    public Map<String, String> parameters() {
        return known(parameters);
    }

    /// What is wrong, after ERROR.
    public ProtocolError error() {
        return known(error);
    }

    private static <T> T known(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("decode has not given this yet");
        }
        return value;
    }
}
