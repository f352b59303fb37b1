package io.margay.protocol.ajp;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.Octets;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http.Status;
import org.jspecify.annotations.Nullable;

/// Decodes what a container sends: the gateway's side of AJP13, as strict as the other one.
///
/// Confined to the thread that owns the connection; one per connection, [#reset] between requests.
/// It refuses content before a head, a second head, an end without a head, and content that differs
/// from the declared length, so that no response is taken for another (CVE-2023-34981).
///
/// ```
/// START --SEND_HEADERS--> CONTENT --END_RESPONSE--> ENDED
///                         CONTENT --SEND_BODY_CHUNK--> CONTENT
/// START, CONTENT --GET_BODY_CHUNK--> same
/// ```
public final class AjpResponseDecoder {
    /// What [#decode] found.
    public enum Result {
        /// The packet is not complete yet.
        NEED_MORE,
        /// The head: see [#head].
        HEAD,
        /// Content: see [#dataFrom] and [#dataTo].
        DATA,
        /// The container wants what it sent so far to be passed on.
        FLUSH,
        /// The container wants content: see [#requestedBytes].
        GET_BODY,
        /// The response is complete: see [#reusable].
        END,
        /// The answer to CPING; only before a response.
        PONG,
        /// Not AJP13, or a response that contradicts itself; see [#error].
        ERROR
    }

    private enum State {
        START,
        CONTENT,
        ENDED
    }

    private static final long UNLIMITED = -1;
    private static final int LINES_EXPECTED_MAX = 32;
    private static final int NAME_BYTES_EXPECTED = 12;

    private final AjpLimits limits;
    private final PacketFrame frame;
    private final PacketReader reader = new PacketReader();

    private State state = State.START;
    private boolean headRequest;
    private long remaining;
    private boolean reusable;
    private int requestedBytes;
    private int dataFrom;
    private int dataTo;
    private @Nullable ResponseHead head;
    private @Nullable AjpError error;

    /// A decoder for one connection.
    public AjpResponseDecoder(AjpLimits limits) {
        this.limits = limits;
        frame = new PacketFrame(Ajp.TO_FRONT_END, limits.packetBytesMax());
    }

    /// Prepares for the response to the next request.
    ///
    /// @param toHead whether that is a HEAD request, whose response has no content
    public void reset(boolean toHead) {
        state = State.START;
        headRequest = toHead;
        reusable = false;
        head = null;
        error = null;
    }

    /// Looks for a packet.
    ///
    /// @param buffer holds in `[from,to)` everything received of this packet so far
    public Result decode(byte[] buffer, int from, int to) {
        if (error != null) {
            return Result.ERROR;
        }
        if (!frame.find(buffer, from, to)) {
            AjpError fault = frame.error();
            return fault == null ? Result.NEED_MORE : failed(fault);
        }
        reader.reset(buffer, frame.payloadFrom(), frame.payloadTo());
        Result result =
                switch (reader.u8()) {
                    case Ajp.SEND_HEADERS -> decodeHead();
                    case Ajp.SEND_BODY_CHUNK -> decodeChunk();
                    case Ajp.END_RESPONSE -> decodeEnd();
                    case Ajp.GET_BODY_CHUNK -> decodeGetBody();
                    case Ajp.CPONG -> decodePong();
                    default -> unknown();
                };
        AjpError fault = reader.error();
        return fault == null ? result : failed(fault);
    }

    private Result failed(AjpError fault) {
        error = fault.byUpstream();
        return Result.ERROR;
    }

    private Result unknown() {
        reader.fail(AjpError.UNKNOWN_TYPE);
        return Result.ERROR;
    }

    private void expect(State expected) {
        if (state != expected) {
            reader.fail(AjpError.HEAD_OUT_OF_PLACE);
        }
    }

    private Result decodeHead() {
        expect(State.START);
        int status = reader.u16();
        boolean hasReason = reader.span();
        int reasonFrom = reader.spanFrom();
        int reasonTo = reader.spanTo();
        int count = reader.u16();
        if (!reader.failed() && (status < 200 || status > 599)) {
            reader.fail(AjpError.BAD_STATUS);
        }
        if (hasReason && !isFieldValue(reader.bytes(), reasonFrom, reasonTo)) {
            reader.fail(AjpError.BAD_RESPONSE_FIELD);
        }
        if (count > limits.fieldsMax()) {
            reader.fail(AjpError.BAD_RESPONSE_FIELD);
        }
        // Most names come as codes, which are shorter than what they stand for.
        int lines = Math.min(count, LINES_EXPECTED_MAX);
        Fields.Builder fields =
                new Fields.Builder(lines, reader.remaining() + lines * NAME_BYTES_EXPECTED);
        long declared = UNLIMITED;
        for (int i = 0; i < count && !reader.failed(); i++) {
            byte[] name = reader.responseFieldName();
            int nameFrom = reader.spanFrom();
            int nameTo = reader.spanTo();
            reader.requireSpan();
            if (!reader.failed()) {
                byte[] value = reader.bytes();
                fields.add(name, nameFrom, nameTo, value, reader.spanFrom(), reader.spanTo());
                declared = look(name, nameFrom, nameTo, declared);
            }
        }
        reader.end();
        if (!reader.failed()) {
            state = State.CONTENT;
            String reason =
                    hasReason ? Status.reason(status, reader.bytes(), reasonFrom, reasonTo) : "";
            head = head(status, reason, fields.build(), declared);
        }
        return Result.HEAD;
    }

    /// Checks a line, whose value the reader has found last.
    ///
    /// @return the declared length, as far as it is known
    private long look(byte[] name, int nameFrom, int nameTo, long declared) {
        byte[] bytes = reader.bytes();
        int from = reader.spanFrom();
        int to = reader.spanTo();
        if (!isToken(name, nameFrom, nameTo) || !isFieldValue(bytes, from, to)) {
            reader.fail(AjpError.BAD_RESPONSE_FIELD);
        } else if (Octets.equalsIgnoreCase(name, nameFrom, nameTo, "content-length")) {
            long length = Octets.decimal(bytes, from, to);
            if (declared != UNLIMITED || length < 0) {
                reader.fail(AjpError.BAD_RESPONSE_FIELD);
            }
            return length;
        } else if (Octets.equalsIgnoreCase(name, nameFrom, nameTo, "transfer-encoding")) {
            // AJP13 frames content by packets: the field can only mislead the next hop.
            reader.fail(AjpError.BAD_RESPONSE_FIELD);
        }
        return declared;
    }

    private static boolean isToken(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!Octets.isToken(bytes[i])) {
                return false;
            }
        }
        return from < to;
    }

    private static boolean isFieldValue(byte[] bytes, int from, int to) {
        for (int i = Octets.skipPrintable(bytes, from, to); i < to; i++) {
            if (!Octets.isFieldValue(bytes[i])) {
                return false;
            }
        }
        return true;
    }

    private ResponseHead head(int status, String reason, Fields fields, long declared) {
        boolean without = headRequest || status == 204 || status == 304;
        remaining = without ? 0 : declared;
        long length = remaining == UNLIMITED ? ResponseHead.UNKNOWN_LENGTH : remaining;
        return new ResponseHead(HttpVersion.HTTP_1_1, status, reason, fields, length, true);
    }

    private Result decodeChunk() {
        expect(State.CONTENT);
        int length = reader.u16();
        if (!reader.failed() && length + 1 != reader.remaining()) {
            reader.fail(AjpError.BAD_DATA_LENGTH);
        }
        if (remaining != UNLIMITED && length > remaining) {
            reader.fail(AjpError.UNEXPECTED_CONTENT);
        }
        if (reader.failed()) {
            return Result.ERROR;
        }
        if (remaining != UNLIMITED) {
            remaining -= length;
        }
        dataTo = frame.payloadTo() - 1;
        dataFrom = dataTo - length;
        return length == 0 ? Result.FLUSH : Result.DATA;
    }

    private Result decodeEnd() {
        expect(State.CONTENT);
        boolean reuse = reader.bool();
        reader.end();
        if (remaining > 0) {
            reader.fail(AjpError.UNEXPECTED_CONTENT);
        }
        if (!reader.failed()) {
            state = State.ENDED;
            reusable = reuse;
        }
        return Result.END;
    }

    private Result decodeGetBody() {
        if (state == State.ENDED) {
            reader.fail(AjpError.UNKNOWN_TYPE);
        }
        requestedBytes = Math.min(reader.u16(), limits.requestDataMax());
        reader.end();
        return Result.GET_BODY;
    }

    private Result decodePong() {
        if (state == State.CONTENT) {
            reader.fail(AjpError.UNKNOWN_TYPE);
        }
        reader.end();
        return Result.PONG;
    }

    /// Offset after the packet; valid but after NEED_MORE and ERROR.
    public int packetEnd() {
        return frame.payloadTo();
    }

    /// Offset of the content's first byte, after DATA.
    public int dataFrom() {
        return dataFrom;
    }

    /// Offset after the content's last byte, after DATA.
    public int dataTo() {
        return dataTo;
    }

    /// Content bytes the container asks for at most, after GET_BODY; it may be 0.
    public int requestedBytes() {
        return requestedBytes;
    }

    /// After END, whether the container is ready for another request on this connection.
    public boolean reusable() {
        return reusable;
    }

    /// The head, after HEAD.
    public ResponseHead head() {
        return known(head);
    }

    /// What is wrong, after ERROR.
    public AjpError error() {
        return known(error);
    }

    private static <T> T known(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("decode has not given this yet");
        }
        return value;
    }
}
