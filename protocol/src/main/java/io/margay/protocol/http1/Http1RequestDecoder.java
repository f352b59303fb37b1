package io.margay.protocol.http1;

import static io.margay.protocol.http.Octets.isDigit;
import static io.margay.protocol.http.Octets.isToken;

import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Decodes request heads (RFC 9112 §3, §5), strictly: bytes in, a [RequestHead] or a
/// [ProtocolError] out.
///
/// Confined to the thread that owns the connection; [#reset] between requests, of one connection or
/// of several. It looks at each byte once, however the bytes arrive, and allocates only what it
/// hands on.
///
/// ```
/// START --CR--> EMPTY_LF --LF--> METHOD      one empty line before the request is forgiven
/// START ------> METHOD --SP--> TARGET --SP--> VERSION --CR--> LINE_LF --LF--> FIELDS --> done
/// ```
public final class Http1RequestDecoder {
    /// What [#decode] found.
    public enum Result {
        /// The head is not complete yet.
        NEED_MORE,
        /// The head is complete and well formed.
        HEAD,
        /// The head is malformed or too large; nothing that follows on this connection has a
        /// meaning.
        ERROR
    }

    /// The longest method that is read; longer ones are answered 501 (RFC 9112 §3).
    static final int METHOD_BYTES_MAX = 32;

    private static final byte TLS_HANDSHAKE = 22;

    private static final int START = 0;
    private static final int EMPTY_LF = 1;
    private static final int METHOD = 2;
    private static final int TARGET = 3;
    private static final int VERSION = 4;
    private static final int LINE_LF = 5;
    private static final int FIELDS = 6;

    private static final String VERSION_TEMPLATE = "HTTP/d.d";
    private static final byte[] USUAL_VERSION = HeadWriter.bytes("HTTP/1.1\r");

    private final Http1Limits limits;
    private final FieldSection fields;
    private final MessageFraming framing = new MessageFraming();
    private final TargetReader targets;
    private final RequestTarget.Characters characters;

    // Offsets are relative to the head's first byte: the buffer may move between calls.
    private int state;
    private int at;
    private int lineFrom;
    private int targetFrom;
    private int versionFrom;
    private int fieldsFrom;
    private int headEnd;
    private @Nullable String method;
    private @Nullable HttpVersion version;
    private @Nullable RequestHead head;
    private @Nullable ProtocolError error;

    /// A decoder for connections of one kind.
    ///
    /// @param secure whether they are encrypted, which makes the scheme `https`
    public Http1RequestDecoder(Http1Limits limits, boolean secure) {
        this(limits, secure, RequestTarget.Characters.STRICT);
    }

    /// The same with what request targets may have.
    public Http1RequestDecoder(
            Http1Limits limits, boolean secure, RequestTarget.Characters characters) {
        this.limits = limits;
        this.characters = characters;
        this.targets = new TargetReader(secure);
        this.fields =
                new FieldSection(
                        limits.fieldsMax(),
                        limits.fieldLineBytesMax(),
                        Http1Error.HEAD_TOO_LARGE,
                        Http1Error.TOO_MANY_FIELDS);
    }

    /// Whether it decodes requests of encrypted connections.
    public boolean isSecure() {
        return targets.isSecure();
    }

    /// Prepares for the next request.
    public void reset() {
        state = START;
        at = 0;
        lineFrom = 0;
        method = null;
        version = null;
        head = null;
        error = null;
        fields.reset();
    }

    /// Goes on decoding.
    ///
    /// @param buffer holds in `[from,to)` everything received of this head so far; what was seen
    ///   before must be the same bytes, at this or another place
    public Result decode(byte[] buffer, int from, int to) {
        if (error != null) {
            return Result.ERROR;
        }
        if (head != null) {
            return Result.HEAD;
        }
        if (state != FIELDS) {
            decodeRequestLine(buffer, from, to);
        }
        if (state == FIELDS && error == null) {
            int start = from + fieldsFrom;
            if (fields.scan(buffer, start, to, limits.headBytesMax() - fieldsFrom)) {
                headEnd = start + fields.length();
                complete(buffer, from);
            } else {
                error = fields.error();
            }
        }
        if (error != null) {
            return Result.ERROR;
        }
        return head != null ? Result.HEAD : Result.NEED_MORE;
    }

    private void decodeRequestLine(byte[] buffer, int from, int to) {
        int p = from + at;
        while (state != FIELDS && error == null) {
            int end = (int) Math.min(to, (long) from + lineFrom + limits.requestLineBytesMax() + 2);
            if (p == end) {
                error = end < to ? Http1Error.TARGET_TOO_LONG : null;
                break;
            }
            switch (state) {
                case START -> {
                    state = METHOD;
                    if (buffer[p] == '\r') {
                        state = EMPTY_LF;
                        p++;
                    }
                }
                case EMPTY_LF -> {
                    lineFrom = 2;
                    p = expectLf(buffer, p, METHOD);
                }
                case METHOD -> p = decodeMethod(buffer, from, p, end);
                case TARGET -> {
                    while (p < end && characters.isTarget(buffer[p])) {
                        p++;
                    }
                    if (p < end) {
                        error = targetEnd(buffer[p], p - from);
                        versionFrom = p + 1 - from;
                        p++;
                        state = VERSION;
                    }
                }
                case VERSION -> p = decodeVersion(buffer, from, p, end);
                default -> {
                    p = expectLf(buffer, p, FIELDS);
                    fieldsFrom = p - from;
                }
            }
        }
        at = p - from;
    }

    private int expectLf(byte[] buffer, int p, int next) {
        state = next;
        error = buffer[p] == '\n' ? null : Http1Error.BAD_LINE_END;
        return p + 1;
    }

    private int decodeMethod(byte[] buffer, int from, int start, int end) {
        int first = from + lineFrom;
        int limit = Math.min(end, first + METHOD_BYTES_MAX + 1);
        int p = start;
        while (p < limit && isToken(buffer[p])) {
            p++;
        }
        if (p - first > METHOD_BYTES_MAX) {
            error = Http1Error.METHOD_TOO_LONG;
        } else if (p < limit) {
            if (buffer[p] != ' ' || p == first) {
                error = Http1Error.BAD_METHOD;
                return p;
            }
            method = Method.of(buffer, first, p);
            p++;
            targetFrom = p - from;
            state = TARGET;
        }
        return p;
    }

    private @Nullable ProtocolError targetEnd(byte b, int offset) {
        if (b == '\r' || b == '\n') {
            // A request line of two words: HTTP/0.9.
            return offset == targetFrom ? Http1Error.BAD_TARGET : Http1Error.BAD_VERSION;
        }
        return b == ' ' && offset > targetFrom ? null : Http1Error.BAD_TARGET;
    }

    private int decodeVersion(byte[] buffer, int from, int start, int end) {
        int usualEnd = start + USUAL_VERSION.length;
        if (start == from + versionFrom
                && usualEnd <= end
                && Arrays.equals(buffer, start, usualEnd, USUAL_VERSION, 0, USUAL_VERSION.length)) {
            version = HttpVersion.HTTP_1_1;
            state = LINE_LF;
            return usualEnd;
        }
        int p = start;
        while (p < end) {
            int index = p - from - versionFrom;
            byte b = buffer[p++];
            if (index == VERSION_TEMPLATE.length()) {
                version = versionOf(buffer, from + versionFrom);
                state = LINE_LF;
                if (b != '\r') {
                    error = b == '\n' ? Http1Error.BAD_LINE_END : Http1Error.BAD_VERSION;
                } else if (version == null) {
                    error = Http1Error.VERSION_UNSUPPORTED;
                }
                return p;
            }
            char expected = VERSION_TEMPLATE.charAt(index);
            if (expected == 'd' ? !isDigit(b) : b != expected) {
                error = Http1Error.BAD_VERSION;
                return p;
            }
        }
        return p;
    }

    /// Whether `buffer[from,to)`, which is no request, was meant as one, or as a line of the PROXY
    /// protocol: its first line names a usual method, has a slash, as paths and versions have, or
    /// is text. So was a handshake of TLS (RFC 8446 §5.1), which has come to the wrong port.
    public static boolean resemblesRequest(byte[] buffer, int from, int to) {
        int line = from;
        while (line < to && (buffer[line] == '\r' || buffer[line] == '\n')) {
            line++;
        }
        boolean handshake = line < to && buffer[line] == TLS_HANDSHAKE;
        if (handshake
                || Method.isUsual(buffer, line, to)
                || Method.isWord("PROXY", buffer, line, to)) {
            return true;
        }
        int end = line;
        boolean printable = true;
        for (; end < to && buffer[end] != '\n'; end++) {
            if (buffer[end] == '/') {
                return true;
            }
            printable &= buffer[end] >= ' ' || buffer[end] == '\r' || buffer[end] == '\t';
        }
        return printable && end > line && end < to;
    }

    static @Nullable HttpVersion versionOf(byte[] bytes, int from) {
        if (bytes[from + 5] != '1' || bytes[from + 7] > '1') {
            return null;
        }
        return bytes[from + 7] == '1' ? HttpVersion.HTTP_1_1 : HttpVersion.HTTP_1_0;
    }

    private void complete(byte[] buffer, int from) {
        int start = from + fieldsFrom;
        String theMethod = known(method);
        HttpVersion theVersion = known(version);
        boolean modern = theVersion == HttpVersion.HTTP_1_1;
        error = framing.read(fields, buffer, start);
        if (error == null) {
            error = checkFraming(modern);
        }
        if (error != null) {
            return;
        }
        if (!characters.isStrict()
                && !characters.fits(buffer, from + targetFrom, from + versionFrom - 1)) {
            error = Http1Error.BAD_TARGET;
            return;
        }
        RequestTarget target =
                targets.read(
                        theMethod,
                        buffer,
                        from + targetFrom,
                        from + versionFrom - 1,
                        fields,
                        start,
                        framing.host);
        if (target == null) {
            error = targets.error();
            return;
        }
        long length =
                framing.chunked ? RequestHead.UNKNOWN_LENGTH : Math.max(0, framing.contentLength);
        head =
                new RequestHead(
                        theMethod,
                        target,
                        theVersion,
                        fields.toFields(buffer, start),
                        length,
                        framing.expectContinue && modern && length != RequestHead.NO_BODY,
                        keepsAlive(theMethod, modern));
    }

    /// What follows a CONNECT is meant for a tunnel, and is no request.
    private boolean keepsAlive(String theMethod, boolean modern) {
        return !framing.close && (modern || framing.keepAlive) && !theMethod.equals("CONNECT");
    }

    private @Nullable ProtocolError checkFraming(boolean modern) {
        if (framing.chunked && !modern) {
            return Http1Error.CODING_IN_1_0;
        }
        if (modern && framing.host < 0) {
            return Http1Error.HOST_MISSING;
        }
        long bodyMax = limits.bodyBytesMax();
        if (bodyMax != Http1Limits.NO_BODY_LIMIT && framing.contentLength > bodyMax) {
            return Http1Error.CONTENT_TOO_LARGE;
        }
        return null;
    }

    /// Offset in the buffer after the head's last byte; valid after HEAD, for the call that gave
    /// it.
    public int headEnd() {
        return headEnd;
    }

    /// The head, after HEAD.
    public RequestHead head() {
        return known(head);
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
