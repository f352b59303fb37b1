package io.margay.protocol.http1;

import static io.margay.protocol.http.Octets.isDigit;
import static io.margay.protocol.http.Octets.isFieldValue;

import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http.Status;
import org.jspecify.annotations.Nullable;

/// Decodes response heads (RFC 9112 §4, §5) as strictly as requests, since whoever controls an
/// upstream server must not be able to smuggle responses.
///
/// Confined to the thread that owns the connection; one per connection, [#reset] before each
/// response. An interim response (1xx) is a head of its own, after which [#reset] awaits the next.
///
/// ```
/// STATUS --14th byte--> REASON --CR--> LINE_LF --LF--> FIELDS --> done
/// ```
public final class Http1ResponseDecoder {
    /// What [#decode] found.
    public enum Result {
        /// The head is not complete yet.
        NEED_MORE,
        /// The head is complete and well formed.
        HEAD,
        /// The head is malformed or too large: the connection must be closed.
        ERROR
    }

    private static final int STATUS = 0;
    private static final int REASON = 1;
    private static final int LINE_LF = 2;
    private static final int FIELDS = 3;

    private static final String STATUS_TEMPLATE = "HTTP/d.d ddd ";
    private static final int STATUS_OFFSET = 9;

    private final Http1Limits limits;
    private final FieldSection fields;
    private final MessageFraming framing = new MessageFraming();

    private String requestMethod = "GET";
    private int state;
    private int at;
    private int reasonTo;
    private int fieldsFrom;
    private int headEnd;
    private @Nullable ResponseHead head;
    private @Nullable ProtocolError error;

    /// A decoder for one connection to a server.
    public Http1ResponseDecoder(Http1Limits limits) {
        this.limits = limits;
        this.fields =
                new FieldSection(
                        limits.fieldsMax(),
                        limits.fieldLineBytesMax(),
                        Http1Error.HEAD_TOO_LARGE,
                        Http1Error.TOO_MANY_FIELDS);
    }

    /// Prepares for the response to a request with that method, which decides whether it has
    /// content.
    public void reset(String method) {
        requestMethod = method;
        state = STATUS;
        at = 0;
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
            decodeStatusLine(buffer, from, to);
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
            error = Http1Error.byUpstream(error);
            return Result.ERROR;
        }
        return head != null ? Result.HEAD : Result.NEED_MORE;
    }

    private void decodeStatusLine(byte[] buffer, int from, int to) {
        int end = (int) Math.min(to, (long) from + limits.requestLineBytesMax() + 2);
        int p = from + at;
        while (p < end && state != FIELDS && error == null) {
            byte b = buffer[p++];
            switch (state) {
                case STATUS -> {
                    int index = p - 1 - from;
                    char expected = STATUS_TEMPLATE.charAt(index);
                    if (expected == 'd' ? !isDigit(b) : b != expected) {
                        error = Http1Error.BAD_STATUS_LINE;
                    } else if (index == STATUS_TEMPLATE.length() - 1) {
                        state = REASON;
                    }
                }
                case REASON -> {
                    if (b == '\r') {
                        reasonTo = p - 1 - from;
                        state = LINE_LF;
                    } else if (!isFieldValue(b)) {
                        error = Http1Error.BAD_STATUS_LINE;
                    }
                }
                default -> {
                    state = FIELDS;
                    fieldsFrom = p - from;
                    error = b == '\n' ? null : Http1Error.BAD_LINE_END;
                }
            }
        }
        at = p - from;
        if (error == null && state != FIELDS && end < to) {
            error = Http1Error.STATUS_LINE_TOO_LONG;
        }
    }

    private void complete(byte[] buffer, int from) {
        HttpVersion version = Http1RequestDecoder.versionOf(buffer, from);
        int status = 0;
        for (int i = 0; i < 3; i++) {
            status = status * 10 + (buffer[from + STATUS_OFFSET + i] - '0');
        }
        if (version == null || status < 100 || status > 599) {
            error = Http1Error.BAD_STATUS_LINE;
            return;
        }
        boolean modern = version == HttpVersion.HTTP_1_1;
        error = framing.read(fields, buffer, from + fieldsFrom);
        if (error == null && framing.chunked && !modern) {
            error = Http1Error.CODING_IN_1_0;
        }
        if (error != null) {
            return;
        }
        long length = contentLength(status);
        long bodyMax = limits.bodyBytesMax();
        if (bodyMax != Http1Limits.NO_BODY_LIMIT && length > bodyMax) {
            error = Http1Error.CONTENT_TOO_LARGE;
        }
        if (error != null) {
            return;
        }
        int reasonFrom = from + STATUS_TEMPLATE.length();
        head =
                new ResponseHead(
                        version,
                        status,
                        Status.reason(status, buffer, reasonFrom, from + reasonTo),
                        fields.toFields(buffer, from + fieldsFrom),
                        length,
                        length != ResponseHead.UNTIL_CLOSE
                                && !framing.close
                                && (modern || framing.keepAlive));
    }

    /// The length of the content by the rules of RFC 9112 §6.3.
    private long contentLength(int status) {
        boolean none = status < 200 || status == 204;
        if (none && (framing.chunked || framing.contentLength > 0)) {
            error = Http1Error.UNEXPECTED_CONTENT;
        }
        boolean tunnel = requestMethod.equals("CONNECT") && status < 300;
        if (none || tunnel || status == 304 || requestMethod.equals("HEAD")) {
            return 0;
        }
        if (framing.chunked) {
            return ResponseHead.UNKNOWN_LENGTH;
        }
        return framing.contentLength == MessageFraming.ABSENT
                ? ResponseHead.UNTIL_CLOSE
                : framing.contentLength;
    }

    /// Offset in the buffer after the head's last byte; valid after HEAD, for the call that gave
    /// it.
    public int headEnd() {
        return headEnd;
    }

    /// The head, after HEAD.
    public ResponseHead head() {
        if (head == null) {
            throw new IllegalStateException("decode has not given a head yet");
        }
        return head;
    }

    /// What is wrong, after ERROR.
    public ProtocolError error() {
        if (error == null) {
            throw new IllegalStateException("decode has not given an error");
        }
        return error;
    }
}
