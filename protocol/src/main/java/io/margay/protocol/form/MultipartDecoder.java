package io.margay.protocol.form;

import io.margay.protocol.http.FieldParameters;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Octets;
import io.margay.protocol.http.ProtocolError;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Takes a `multipart/form-data` body apart as its bytes arrive (RFC 7578, RFC 2046 §5.1).
///
/// Confined to the thread that reads the body; one per body. After PART, [#part] tells its fields;
/// after DATA, [#data], [#dataFrom] and [#dataTo] delimit content of it. Whatever the result, the
/// bytes up to [#consumed] are done with. It keeps no content.
///
/// ```
/// PREAMBLE --delimiter--> BOUNDARY --CRLF--> FIELDS --empty line--> CONTENT
/// CONTENT --delimiter--> BOUNDARY --"--"--> EPILOGUE
/// ```
public final class MultipartDecoder {
    /// What [#decode] found.
    public enum Result {
        /// Everything was consumed and more must come.
        NEED_MORE,
        /// A part begins; its fields are known.
        PART,
        /// Content of the part.
        DATA,
        /// The part is complete.
        PART_END,
        /// The body is complete; what follows is ignored.
        END,
        /// The body is malformed or too large.
        ERROR
    }

    /// A part of the body.
    ///
    /// @param fields its fields, in which characters stand for octets; values are often UTF-8
    /// @param name the form control's name
    /// @param filename as the client gave it, never to be trusted as a path; null when it gave none
    /// @param contentType as given, or null
    public record Part(
            Fields fields, String name, @Nullable String filename, @Nullable String contentType) {}

    /// Characters of a boundary: more than the 70 of RFC 2046 §5.1.1, which some clients exceed and
    /// other servers do not enforce.
    public static final int BOUNDARY_MAX = 1_000;

    private static final String SECTION = "RFC 7578 §4.1";
    private static final ProtocolError BAD_DELIMITER =
            ProtocolError.of(400, "RFC 2046 §5.1.1", "A multipart boundary line is malformed.");
    private static final ProtocolError BAD_FIELDS =
            ProtocolError.of(400, "RFC 7578 §4.2", "The fields of a part are malformed.");
    private static final ProtocolError TOO_MANY_PARTS =
            ProtocolError.of(413, SECTION, "The multipart body has too many parts.");
    private static final ProtocolError FIELDS_TOO_LARGE =
            ProtocolError.of(413, SECTION, "The fields of a part are too large.");
    private static final ProtocolError TRUNCATED =
            ProtocolError.of(400, "RFC 2046 §5.1.1", "The multipart body has no end.");
    private static final int CRLF_LENGTH = 2;

    private enum State {
        PREAMBLE,
        BOUNDARY,
        FIELDS,
        CONTENT,
        EPILOGUE
    }

    private final MultipartLimits limits;

    /// CR LF, two hyphens, and the boundary. Its only CR is the first byte, so that a match which
    /// breaks off can only begin anew at the byte that broke it.
    private final byte[] delimiter;

    private State state = State.PREAMBLE;

    /// Bytes of the delimiter seen so far; the first one needs no CR LF before it.
    private int matched = CRLF_LENGTH;

    private boolean partOpen;
    private int parts;
    private final byte[] line;
    private int lineLength;
    private byte[] data = {};
    private int dataFrom;
    private int dataTo;
    private int consumed;
    private @Nullable Part part;
    private @Nullable ProtocolError error;

    /// A decoder for one body.
    ///
    /// @param boundary as [#boundary] gave it
    public MultipartDecoder(String boundary, MultipartLimits limits) {
        if (!isBoundary(boundary)) {
            throw new IllegalArgumentException("no multipart boundary");
        }
        this.limits = limits;
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
        this.line = new byte[limits.partHeaderBytesMax()];
    }

    /// The boundary that a `Content-Type` of `multipart/form-data` names, or null if it is none.
    public static @Nullable String boundary(String contentType) {
        FieldParameters type = FieldParameters.parse(contentType);
        if (type == null || !type.value().equals("multipart/form-data")) {
            return null;
        }
        String boundary = type.parameter("boundary");
        return boundary != null && isBoundary(boundary) ? boundary : null;
    }

    private static boolean isBoundary(String text) {
        boolean valid = !text.isEmpty() && text.length() <= BOUNDARY_MAX && !text.endsWith(" ");
        for (int i = 0; valid && i < text.length(); i++) {
            char c = text.charAt(i);
            valid = c < 128 && (Octets.isUnreserved((byte) c) || " '()+,/:=?".indexOf(c) >= 0);
        }
        return valid && text.indexOf('~') < 0;
    }

    /// Decodes on; to be called again with what was not consumed, until NEED_MORE.
    public Result decode(byte[] buffer, int from, int to) {
        if (error != null) {
            return Result.ERROR;
        }
        int p = from;
        while (true) {
            consumed = p;
            switch (state) {
                case PREAMBLE, CONTENT -> {
                    Result result = decodeContent(buffer, p, to);
                    boolean preamble = state == State.PREAMBLE && result == Result.DATA;
                    if (result != null && !preamble) {
                        return result;
                    }
                }
                case BOUNDARY, FIELDS -> {
                    Result result = decodeLine(buffer, p, to);
                    if (result != null) {
                        return result;
                    }
                }
                case EPILOGUE -> {
                    consumed = to;
                    return Result.END;
                }
            }
            p = consumed;
        }
    }

    /// Looks for the delimiter. Null means that it was found and nothing has to be told.
    private @Nullable Result decodeContent(byte[] buffer, int from, int to) {
        if (matched > 0) {
            return continueMatch(buffer, from, to);
        }
        int p = from;
        while (p < to) {
            if (buffer[p] != '\r') {
                p++;
                continue;
            }
            int length = matchLength(buffer, p, to, 0);
            if (length < delimiter.length && p + length < to) {
                p += length;
            } else if (p > from) {
                break;
            } else {
                return continueMatch(buffer, p, to);
            }
        }
        if (p == from) {
            return Result.NEED_MORE;
        }
        data = buffer;
        dataFrom = from;
        dataTo = p;
        consumed = p;
        return Result.DATA;
    }

    private @Nullable Result continueMatch(byte[] buffer, int from, int to) {
        int length = matchLength(buffer, from, to, matched);
        matched += length;
        consumed = from + length;
        if (matched == delimiter.length) {
            matched = 0;
            lineLength = 0;
            state = State.BOUNDARY;
            boolean closes = partOpen;
            partOpen = false;
            return closes ? Result.PART_END : null;
        }
        if (consumed == to) {
            return Result.NEED_MORE;
        }
        // What looked like a delimiter was content.
        data = delimiter;
        dataFrom = 0;
        dataTo = matched;
        matched = 0;
        return Result.DATA;
    }

    private int matchLength(byte[] buffer, int from, int to, int already) {
        int most = Math.min(to - from, delimiter.length - already);
        int length = 0;
        while (length < most && buffer[from + length] == delimiter[already + length]) {
            length++;
        }
        return length;
    }

    /// Collects the rest of a boundary line, or the fields of a part.
    private @Nullable Result decodeLine(byte[] buffer, int from, int to) {
        int p = from;
        while (p < to) {
            if (lineLength == line.length) {
                return fail(FIELDS_TOO_LARGE, p);
            }
            line[lineLength++] = buffer[p++];
            boolean complete = state == State.BOUNDARY ? boundaryComplete() : fieldsComplete();
            if (error != null) {
                return fail(error, p);
            }
            if (complete) {
                consumed = p;
                return afterLine();
            }
        }
        consumed = p;
        return Result.NEED_MORE;
    }

    private boolean boundaryComplete() {
        byte last = line[lineLength - 1];
        if (lineLength == 2 && line[0] == '-') {
            error = last == '-' ? null : BAD_DELIMITER;
            return true;
        }
        boolean lineFeed = lineLength >= 2 && line[lineLength - 2] == '\r';
        if (lineFeed) {
            error = last == '\n' ? null : BAD_DELIMITER;
            return true;
        }
        boolean expected = last == '\r' || last == ' ' || last == '\t';
        if (!expected && !(lineLength == 1 && last == '-')) {
            error = BAD_DELIMITER;
        }
        return false;
    }

    private boolean fieldsComplete() {
        int n = lineLength;
        return line[n - 1] == '\n'
                && (n == 2 || (n >= 4 && line[n - 3] == '\n'))
                && line[n - 2] == '\r';
    }

    private @Nullable Result afterLine() {
        int length = lineLength;
        lineLength = 0;
        if (state == State.BOUNDARY) {
            if (line[0] == '-') {
                state = State.EPILOGUE;
                return Result.END;
            }
            if (++parts > limits.partsMax()) {
                return fail(TOO_MANY_PARTS, consumed);
            }
            state = State.FIELDS;
            return null;
        }
        part = parsePart(length);
        if (part == null) {
            return fail(BAD_FIELDS, consumed);
        }
        state = State.CONTENT;
        partOpen = true;
        return Result.PART;
    }

    /// Makes one line of fields that go on in the next (RFC 5322 §2.2.3), as old mail libraries
    /// write them.
    private void unfold(int length) {
        for (int i = CRLF_LENGTH; i < length - CRLF_LENGTH; i++) {
            boolean folded = line[i] == ' ' || line[i] == '\t';
            if (folded && line[i - 1] == '\n' && line[i - 2] == '\r') {
                line[i - 2] = ' ';
                line[i - 1] = ' ';
            }
        }
    }

    private @Nullable Part parsePart(int length) {
        unfold(length);
        Fields.Builder builder = new Fields.Builder();
        int from = 0;
        while (from < length - CRLF_LENGTH) {
            int end = from;
            while (line[end] != '\r' && line[end] != '\n') {
                end++;
            }
            if (line[end] != '\r' || line[end + 1] != '\n' || !addField(builder, from, end)) {
                return null;
            }
            from = end + CRLF_LENGTH;
        }
        Fields fields = builder.build();
        String disposition = fields.get("content-disposition");
        FieldParameters parameters =
                disposition == null ? null : FieldParameters.parse(utf8(disposition));
        String name = parameters == null ? null : parameters.parameter("name");
        if (parameters == null || name == null || !parameters.value().equals("form-data")) {
            return null;
        }
        return new Part(
                fields, name, parameters.extendedParameter("filename"), fields.get("content-type"));
    }

    private boolean addField(Fields.Builder fields, int from, int end) {
        int colon = from;
        while (colon < end && Octets.isToken(line[colon])) {
            colon++;
        }
        if (colon == from || colon == end || line[colon] != ':') {
            return false;
        }
        int valueFrom = colon + 1;
        int valueTo = end;
        while (valueFrom < valueTo && (line[valueFrom] == ' ' || line[valueFrom] == '\t')) {
            valueFrom++;
        }
        while (valueTo > valueFrom && (line[valueTo - 1] == ' ' || line[valueTo - 1] == '\t')) {
            valueTo--;
        }
        for (int p = valueFrom; p < valueTo; p++) {
            if (!Octets.isFieldValue(line[p])) {
                return false;
            }
        }
        fields.add(line, from, colon, line, valueFrom, valueTo);
        return true;
    }

    private static String utf8(String octets) {
        return new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private Result fail(ProtocolError reason, int at) {
        error = reason;
        consumed = at;
        return Result.ERROR;
    }

    /// The body has ended: END if its closing delimiter was seen, otherwise ERROR.
    public Result endOfInput() {
        return state == State.EPILOGUE && error == null ? Result.END : fail(TRUNCATED, consumed);
    }

    /// The part that began, after PART.
    public Part part() {
        return Objects.requireNonNull(part);
    }

    /// The array that holds the content, after DATA: the caller's buffer or one of this decoder.
    public byte[] data() {
        return data;
    }

    /// Start of the content in [#data].
    public int dataFrom() {
        return dataFrom;
    }

    /// End of the content in [#data].
    public int dataTo() {
        return dataTo;
    }

    /// Offset in the buffer after what was used.
    public int consumed() {
        return consumed;
    }

    /// What is wrong, after ERROR.
    public ProtocolError error() {
        return Objects.requireNonNull(error);
    }
}
