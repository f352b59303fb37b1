package io.margay.protocol.http3;

import io.margay.protocol.quic.VarInt;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the frames of one stream of HTTP/3, of the control stream or of a request, and holds them
/// to where they may come (RFC 9114 §4.1, §7). Content is given on as it comes; of other frames the
/// whole payload is kept, as far as its kind may have it. Guarded as its session is.
public final class Http3FrameReader {
    static final int DATA = 0x00;
    static final int HEADERS = 0x01;
    static final int CANCEL_PUSH = 0x03;
    static final int SETTINGS = 0x04;
    static final int PUSH_PROMISE = 0x05;
    static final int GOAWAY = 0x07;
    static final int MAX_PUSH_ID = 0x0d;
    static final int PRIORITY_UPDATE_REQUEST = 0xf0700;
    static final int PRIORITY_UPDATE_PUSH = 0xf0701;

    /// Octets of a payload of the control stream.
    static final int CONTROL_BYTES_MAX = 4_096;

    /// Takes what the frames say. Arrays are valid during the call only; a method gives the error
    /// with which the connection is to end, or null. What is not taken must not come.
    public interface Sink {
        /// A field section: of the head, or of trailers.
        default @Nullable Http3Error headers(byte[] bytes, int from, int to) {
            return Http3Error.MISPLACED;
        }

        default @Nullable Http3Error data(byte[] bytes, int from, int to) {
            return Http3Error.MISPLACED;
        }

        default @Nullable Http3Error settings(Http3Settings settings) {
            return Http3Error.MISPLACED;
        }

        default @Nullable Http3Error goAway(long id) {
            return Http3Error.MISPLACED;
        }

        /// A frame has come that says nothing: of a type that is unknown or does not matter here,
        /// or of content that has none.
        default @Nullable Http3Error nothing() {
            return null;
        }

        /// @param id the stream of the request
        default @Nullable Http3Error priority(long id, byte[] bytes, int from, int to) {
            return Http3Error.MISPLACED;
        }
    }

    private enum Part {
        TYPE,
        LENGTH,
        PAYLOAD
    }

    private static final byte[] NOTHING = {};

    private final boolean control;
    private final boolean fromClient;
    private final int sectionMax;
    private final byte[] number = new byte[8];
    private Part part = Part.TYPE;
    private int numberBytes;
    private long type;
    private long left;
    private boolean empty;
    private byte[] payload = NOTHING;
    private int payloadBytes;
    private boolean settled;
    private boolean headSeen;
    private boolean trailersSeen;
    private boolean paused;
    private int consumed;

    /// @param control whether it is the control stream, else that of a request
    /// @param fromClient whether the frames are a client's
    /// @param sectionMax octets that a field section may have, encoded
    public Http3FrameReader(boolean control, boolean fromClient, int sectionMax) {
        this.control = control;
        this.fromClient = fromClient;
        this.sectionMax = sectionMax;
    }

    /// A final head has come, after which content and trailers may; interim ones are followed by
    /// another head.
    public void headIsFinal() {
        headSeen = true;
    }

    /// Has the [#receive] that calls the sink look at nothing more: what follows the frame is to
    /// wait.
    public void pause() {
        paused = true;
    }

    /// Where the octets begin that the last [#receive] has not looked at; for its sink, where those
    /// behind the frame begin.
    public int consumed() {
        return consumed;
    }

    /// Octets of memory that a frame takes which has not come whole.
    int bytes() {
        return payload.length;
    }

    /// Takes octets of the stream.
    public @Nullable Http3Error receive(byte[] bytes, int from, int to, Sink sink) {
        int at = from;
        paused = false;
        consumed = from;
        while (at < to && !paused) {
            if (part != Part.PAYLOAD) {
                number[numberBytes++] = bytes[at++];
                if (numberBytes < VarInt.sizeFrom(number[0])) {
                    consumed = at;
                    continue;
                }
                long value = VarInt.get(number, 0, numberBytes);
                numberBytes = 0;
                Http3Error error = part == Part.TYPE ? typed(value) : measured(value);
                if (error != null) {
                    return error;
                }
            } else {
                int count = (int) Math.min(to - at, left);
                consumed = at + count;
                Http3Error error = content(bytes, at, at + count, sink);
                at += count;
                left -= count;
                if (error != null) {
                    return error;
                }
            }
            consumed = at;
            if (part == Part.PAYLOAD && left == 0) {
                part = Part.TYPE;
                Http3Error error = ended(sink);
                if (error != null) {
                    return error;
                }
            }
        }
        return null;
    }

    /// The stream has ended.
    public @Nullable Http3Error end() {
        return part == Part.TYPE && numberBytes == 0 ? null : Http3Error.TRUNCATED;
    }

    private @Nullable Http3Error typed(long value) {
        type = value;
        part = Part.LENGTH;
        if (control && !settled && type != SETTINGS) {
            return Http3Error.SETTINGS_MISSING;
        }
        return isAllowed() ? null : Http3Error.MISPLACED;
    }

    private boolean isAllowed() {
        if (type == 0x02 || type == 0x06 || type == 0x08 || type == 0x09) {
            return false;
        }
        if (type == DATA) {
            return !control && headSeen && !trailersSeen;
        }
        if (type == HEADERS) {
            return !control && !trailersSeen;
        }
        if (type == SETTINGS) {
            return control && !settled;
        }
        if (type == MAX_PUSH_ID
                || type == PRIORITY_UPDATE_REQUEST
                || type == PRIORITY_UPDATE_PUSH) {
            return control && fromClient;
        }
        // Pushes are never allowed by us, and nobody can promise us one.
        return type == PUSH_PROMISE ? false : control || !isOfControl();
    }

    private boolean isOfControl() {
        return type == CANCEL_PUSH || type == GOAWAY;
    }

    private @Nullable Http3Error measured(long length) {
        left = length;
        empty = length == 0;
        part = Part.PAYLOAD;
        payloadBytes = 0;
        if (isKept() && length > (control ? CONTROL_BYTES_MAX : sectionMax)) {
            return Http3Error.TOO_LARGE;
        }
        return null;
    }

    private boolean isKept() {
        return type == HEADERS
                || type == SETTINGS
                || type == GOAWAY
                || type == CANCEL_PUSH
                || type == MAX_PUSH_ID
                || type == PRIORITY_UPDATE_REQUEST;
    }

    private @Nullable Http3Error content(byte[] bytes, int from, int to, Sink sink) {
        if (type == DATA) {
            return from == to ? null : sink.data(bytes, from, to);
        }
        if (isKept()) {
            if (payload.length < payloadBytes + to - from) {
                long most = payloadBytes + (to - from) + Math.min(left - (to - from), payloadBytes);
                payload = Arrays.copyOf(payload, (int) most);
            }
            System.arraycopy(bytes, from, payload, payloadBytes, to - from);
            payloadBytes += to - from;
        }
        return null;
    }

    private @Nullable Http3Error ended(Sink sink) {
        if (type == HEADERS) {
            trailersSeen = headSeen;
            byte[] section = payload;
            payload = NOTHING;
            return sink.headers(section, 0, payloadBytes);
        }
        if (type == SETTINGS) {
            settled = true;
            Http3Settings.Read read = Http3Settings.read(payload, 0, payloadBytes);
            return read.error() != null ? read.error() : sink.settings(read.settings());
        }
        if (type == DATA) {
            return empty ? sink.nothing() : null;
        }
        boolean ofOneNumber = type == GOAWAY || type == CANCEL_PUSH || type == MAX_PUSH_ID;
        if (!ofOneNumber && type != PRIORITY_UPDATE_REQUEST) {
            return sink.nothing();
        }
        long id = VarInt.get(payload, 0, payloadBytes);
        int size = id < 0 ? 0 : VarInt.sizeFrom(payload[0]);
        if (id < 0 || (ofOneNumber && size != payloadBytes)) {
            return Http3Error.MALFORMED;
        }
        if (type == GOAWAY) {
            return sink.goAway(id);
        }
        return ofOneNumber ? sink.nothing() : sink.priority(id, payload, size, payloadBytes);
    }
}
