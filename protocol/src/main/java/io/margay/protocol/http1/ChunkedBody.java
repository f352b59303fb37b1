package io.margay.protocol.http1;

import static io.margay.protocol.http.Octets.hexValue;
import static io.margay.protocol.http.Octets.isFieldValue;
import static io.margay.protocol.http.Octets.isToken;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.TrailerFilter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Content in chunks (RFC 9112 §7.1). Extensions are checked, counted and dropped.
///
/// ```
/// SIZE --CR--> SIZE_LF --LF--> DATA --all of it--> DATA_CR --CR--> DATA_LF --LF--> SIZE
/// SIZE --";"--> EXT_NAME --"="--> EXT_VALUE ( token | quoted text ) --";"--> EXT_NAME
/// any of SIZE, EXT_NAME, EXT_VALUE, EXT_END --CR--> SIZE_LF
/// SIZE_LF --LF, size 0--> TRAILERS --empty line--> ENDED
/// ```
final class ChunkedBody extends Http1BodyDecoder {
    private enum State {
        SIZE,
        SIZE_BWS,
        EXT_NAME_FIRST,
        EXT_NAME,
        EXT_NAME_BWS,
        EXT_VALUE_FIRST,
        EXT_VALUE,
        EXT_QUOTED,
        EXT_ESCAPE,
        EXT_END,
        SIZE_LF,
        DATA,
        DATA_CR,
        DATA_LF,
        TRAILERS,
        ENDED
    }

    /// Hexadecimal digits of a chunk size, leading zeros included: more could overflow a long.
    private static final int SIZE_DIGITS_MAX = 15;

    private final Http1Limits limits;
    private State state = State.SIZE;
    private int digits;
    private long remaining;
    private long total;
    private int extensionBytes;
    private byte[] trailerBytes = {};
    private int trailerLength;
    private @Nullable FieldSection trailerSection;
    private Fields trailers = Fields.EMPTY;

    ChunkedBody(Http1Limits limits) {
        this.limits = limits;
    }

    @Override
    public Result decode(byte[] buffer, int from, int to) {
        if (failed()) {
            return Result.ERROR;
        }
        int p = from;
        while (p < to && state != State.ENDED) {
            if (state == State.DATA) {
                int length = (int) Math.min(remaining, to - p);
                remaining -= length;
                state = remaining == 0 ? State.DATA_CR : State.DATA;
                return data(p, p + length);
            }
            if (state == State.TRAILERS) {
                return decodeTrailers(buffer, p, to);
            }
            ProtocolError wrong = step(buffer[p++]);
            if (wrong != null) {
                return fail(wrong, p);
            }
        }
        return state == State.ENDED ? end(p) : needMore(p);
    }

    /// Takes one byte outside the content.
    private @Nullable ProtocolError step(byte b) {
        return switch (state) {
            case SIZE -> size(b);
            case SIZE_BWS, EXT_END -> extensionOrEnd(b);
            case EXT_NAME_FIRST, EXT_NAME, EXT_NAME_BWS -> extensionName(b);
            case EXT_VALUE_FIRST, EXT_VALUE, EXT_QUOTED, EXT_ESCAPE -> extensionValue(b);
            case SIZE_LF -> sizeEnd(b);
            case DATA_CR -> expect(b, '\r', State.DATA_LF);
            case DATA_LF -> expect(b, '\n', State.SIZE);
            case DATA, TRAILERS, ENDED ->
                    throw new IllegalStateException("not outside the content");
        };
    }

    private @Nullable ProtocolError expect(byte b, char wanted, State next) {
        state = next;
        return b == wanted ? null : Http1Error.BAD_CHUNK_END;
    }

    private @Nullable ProtocolError size(byte b) {
        int digit = hexValue(b);
        if (digit >= 0) {
            remaining = (remaining << 4) + digit;
            return ++digits > SIZE_DIGITS_MAX ? Http1Error.BAD_CHUNK_SIZE : null;
        }
        if (digits == 0) {
            return Http1Error.BAD_CHUNK_SIZE;
        }
        if (b == '\r') {
            state = State.SIZE_LF;
            return null;
        }
        if (b != ';' && b != ' ' && b != '\t') {
            return Http1Error.BAD_CHUNK_SIZE;
        }
        return extensionOrEnd(b);
    }

    /// After a size followed by white space, or after an extension: `;` or the line's end.
    private @Nullable ProtocolError extensionOrEnd(byte b) {
        if (b == ';') {
            return extension(State.EXT_NAME_FIRST);
        }
        if (b == ' ' || b == '\t') {
            return extension(State.SIZE_BWS);
        }
        // White space may stand before ";" only.
        if (b == '\r' && state == State.EXT_END) {
            state = State.SIZE_LF;
            return null;
        }
        return Http1Error.BAD_CHUNK_EXTENSION;
    }

    private @Nullable ProtocolError extensionName(byte b) {
        if (isToken(b) && state != State.EXT_NAME_BWS) {
            return extension(State.EXT_NAME);
        }
        boolean space = b == ' ' || b == '\t';
        if (state == State.EXT_NAME_FIRST) {
            return space ? extension(state) : Http1Error.BAD_CHUNK_EXTENSION;
        }
        if (b == '=') {
            return extension(State.EXT_VALUE_FIRST);
        }
        if (space) {
            return extension(State.EXT_NAME_BWS);
        }
        if (b == ';') {
            return extension(State.EXT_NAME_FIRST);
        }
        if (b == '\r' && state == State.EXT_NAME) {
            state = State.SIZE_LF;
            return null;
        }
        return Http1Error.BAD_CHUNK_EXTENSION;
    }

    private @Nullable ProtocolError extensionValue(byte b) {
        if (state == State.EXT_ESCAPE) {
            return isFieldValue(b) ? extension(State.EXT_QUOTED) : Http1Error.BAD_CHUNK_EXTENSION;
        }
        if (state == State.EXT_QUOTED) {
            if (!isFieldValue(b)) {
                return Http1Error.BAD_CHUNK_EXTENSION;
            }
            return extension(
                    b == '"' ? State.EXT_END : b == '\\' ? State.EXT_ESCAPE : State.EXT_QUOTED);
        }
        if (isToken(b)) {
            return extension(State.EXT_VALUE);
        }
        if (state == State.EXT_VALUE_FIRST) {
            boolean space = b == ' ' || b == '\t';
            return b == '"'
                    ? extension(State.EXT_QUOTED)
                    : space ? extension(state) : Http1Error.BAD_CHUNK_EXTENSION;
        }
        state = State.EXT_END;
        return extensionOrEnd(b);
    }

    /// Counts a byte of an extension.
    private @Nullable ProtocolError extension(State next) {
        state = next;
        return ++extensionBytes > limits.chunkExtensionBytesMax()
                ? Http1Error.CHUNK_EXTENSIONS_TOO_LARGE
                : null;
    }

    private @Nullable ProtocolError sizeEnd(byte b) {
        if (b != '\n') {
            return Http1Error.BAD_CHUNK_SIZE;
        }
        digits = 0;
        if (remaining == 0) {
            state = State.TRAILERS;
            return null;
        }
        state = State.DATA;
        total += remaining;
        long max = limits.bodyBytesMax();
        return max != Http1Limits.NO_BODY_LIMIT && total > max
                ? Http1Error.CONTENT_TOO_LARGE
                : null;
    }

    /// Keeps the bytes of the trailer section, which is rare and short, until it is complete.
    private Result decodeTrailers(byte[] buffer, int from, int to) {
        if (trailerSection == null) {
            if (to - from >= 2 && buffer[from] == '\r' && buffer[from + 1] == '\n') {
                state = State.ENDED;
                return end(from + 2);
            }
            trailerSection =
                    new FieldSection(
                            limits.trailersMax(),
                            limits.trailerBytesMax(),
                            Http1Error.TRAILERS_TOO_LARGE,
                            Http1Error.TOO_MANY_TRAILERS);
        }
        int before = trailerLength;
        int length = Math.min(to - from, limits.trailerBytesMax() + 1 - before);
        if (trailerBytes.length < before + length) {
            trailerBytes = Arrays.copyOf(trailerBytes, Math.max(2 * before, before + length));
        }
        System.arraycopy(buffer, from, trailerBytes, before, length);
        trailerLength += length;
        if (!trailerSection.scan(trailerBytes, 0, trailerLength, limits.trailerBytesMax())) {
            ProtocolError wrong = trailerSection.error();
            return wrong == null ? needMore(from + length) : fail(wrong, from + length);
        }
        trailers = TrailerFilter.allowed(trailerSection.toFields(trailerBytes, 0));
        state = State.ENDED;
        return end(from + trailerSection.length() - before);
    }

    @Override
    public Result endOfInput() {
        return state == State.ENDED ? Result.END : fail(Http1Error.TRUNCATED, 0);
    }

    @Override
    public boolean ended() {
        return state == State.ENDED;
    }

    @Override
    public Fields trailers() {
        return trailers;
    }
}
