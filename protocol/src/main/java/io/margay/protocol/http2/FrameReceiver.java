package io.margay.protocol.http2;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Priority;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http2.Http2Session.Event;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The receiving half of a session: checks frames against the rules and the limits, and says what
/// they mean. Guarded as its session is.
final class FrameReceiver {
    private final SessionState state;
    private final boolean secure;
    private final long bodyBytesMax;
    private final HpackDecoder decoder;
    private final HeaderBlock block;
    private final EarlyPriorities early = new EarlyPriorities();
    private boolean prefaceDue;
    private boolean settingsReceived;

    /// Of a DATA frame that is being received: octets of content and of padding that are to come.
    private int contentLeft;

    private int paddingLeft;
    private boolean dataEnds;
    private int dataStream;

    // The event
    int consumed;
    @Nullable Http2Stream stream;
    @Nullable RequestHead requestHead;
    @Nullable ResponseHead responseHead;
    @Nullable ProtocolError refusal;
    Fields trailers = Fields.EMPTY;
    Priority priority = Priority.DEFAULT;
    int dataFrom;
    int dataTo;

    /// Of RST_STREAM and GOAWAY: the error code.
    int code;

    /// Of GOAWAY: the last stream of ours that the peer has looked at, or may.
    int lastKnownId;

    FrameReceiver(SessionState state, boolean secure, long bodyBytesMax) {
        this.state = state;
        this.secure = secure;
        this.bodyBytesMax = bodyBytesMax;
        decoder = new HpackDecoder(state.limits.headerTableBytes());
        block = new HeaderBlock(state.limits);
        prefaceDue = state.server;
    }

    boolean isWithinBlock() {
        return block.isOpen();
    }

    int blockBytes() {
        return block.isOpen() ? block.capacity() : 0;
    }

    /// Gives back what the header block was collected in.
    void trim() {
        block.trim();
    }

    /// Looks at `bytes[from,to)`, which begin where the last call left off.
    Event receive(byte[] bytes, int from, int to) {
        consumed = from;
        stream = null;
        refusal = null;
        if (state.failure != null) {
            consumed = to;
            refusal = state.failure;
            return Event.FAILED;
        }
        if (prefaceDue) {
            return preface(bytes, from, to);
        }
        if (contentLeft > 0 || paddingLeft > 0) {
            return from == to ? Event.NEED_MORE : moreData(from, to);
        }
        if (to - from < Http2.FRAME_HEADER_BYTES) {
            return Event.NEED_MORE;
        }
        int length = PeerSettings.int24(bytes, from);
        int type = bytes[from + 3] & 0xff;
        int id = PeerSettings.int31(bytes, from + 5);
        if (length > Http2.FRAME_SIZE_DEFAULT) {
            return fail(Http2Error.FRAME_TOO_LONG);
        }
        if (block.isOpen() && (type != Http2.CONTINUATION || id != block.streamId)) {
            return fail(Http2Error.BLOCK_INTERRUPTED);
        }
        if (!settingsReceived && (type != Http2.SETTINGS || (bytes[from + 4] & 1) != 0)) {
            return fail(Http2Error.SETTINGS_MISSING);
        }
        int start = from + Http2.FRAME_HEADER_BYTES;
        if (type == Http2.DATA) {
            return data(bytes, start, to, length, bytes[from + 4], id);
        }
        if (to - start < length) {
            return Event.NEED_MORE;
        }
        consumed = start + length;
        return frame(type, bytes[from + 4] & 0xff, id, bytes, start, consumed);
    }

    private Event preface(byte[] bytes, int from, int to) {
        int match = Http2.prefaceMatch(bytes, from, to);
        if (match < 0) {
            return fail(Http2Error.BAD_PREFACE);
        }
        if (match < Http2.prefaceBytes()) {
            return Event.NEED_MORE;
        }
        prefaceDue = false;
        consumed = from + match;
        return Event.NONE;
    }

    private Event frame(int type, int flags, int id, byte[] bytes, int from, int to) {
        return switch (type) {
            case Http2.HEADERS -> headers(flags, id, bytes, from, to);
            case Http2.CONTINUATION -> continuation(flags, bytes, from, to);
            case Http2.PRIORITY -> priority(id, bytes, from, to);
            case Http2.RST_STREAM -> resetByPeer(id, bytes, from, to);
            case Http2.SETTINGS -> settings(flags, id, bytes, from, to);
            case Http2.PUSH_PROMISE -> fail(Http2Error.PUSHED);
            case Http2.PING -> ping(flags, id, bytes, from, to);
            case Http2.GOAWAY -> goAwayByPeer(id, bytes, from, to);
            case Http2.WINDOW_UPDATE -> windowUpdate(id, bytes, from, to);
            case Http2.PRIORITY_UPDATE -> priorityUpdate(id, bytes, from, to);
            default -> overhead(OverheadBudget.EMPTY);
        };
    }

    private Event fail(ProtocolError error) {
        state.failure = error;
        refusal = error;
        state.goingAway = true;
        state.writer.goAway(state.lastPeerId, error.http2Code());
        return Event.FAILED;
    }

    private Event overhead(int units) {
        return state.budget.spend(units) ? fail(Http2Error.TOO_MUCH_OVERHEAD) : Event.NONE;
    }

    /// Ends a stream because of what the peer did on it.
    private Event failStream(Http2Stream failed, ProtocolError error) {
        state.reset(failed, error.http2Code());
        if (state.budget.spend(OverheadBudget.RESET)) {
            return fail(Http2Error.TOO_MUCH_OVERHEAD);
        }
        stream = failed;
        refusal = error;
        return Event.RESET;
    }

    /// The same for a stream that nobody knows of.
    private Event refuseStream(int id, ProtocolError error) {
        state.writer.reset(id, error.http2Code());
        state.remember(id);
        return overhead(OverheadBudget.RESET);
    }

    // DATA

    private Event data(byte[] bytes, int start, int to, int length, int flags, int id) {
        boolean padded = (flags & Http2.FLAG_PADDED) != 0;
        if (padded && length > 0 && to == start) {
            return Event.NEED_MORE;
        }
        int padding = padded && length > 0 ? bytes[start] & 0xff : 0;
        if (id == 0) {
            return fail(Http2Error.NOT_ON_STREAM);
        }
        if (padded && padding >= length) {
            return fail(length == 0 ? Http2Error.BAD_LENGTH : Http2Error.BAD_PADDING);
        }
        if (state.isIdle(id)) {
            return fail(Http2Error.IDLE_STREAM);
        }
        if (length > state.receiveWindow) {
            return fail(Http2Error.WINDOW_EXCEEDED);
        }
        state.receiveWindow -= length;
        consumed = padded ? start + 1 : start;
        contentLeft = padded ? length - 1 - padding : length;
        paddingLeft = padding;
        dataEnds = (flags & Http2.FLAG_END_STREAM) != 0;
        dataStream = id;
        // What is no content takes no room; nor does content for a stream that is over, see below.
        state.creditConnection(length - contentLeft);
        Http2Stream target = state.streams.get(id);
        if (target == null) {
            return state.wasReset(id)
                    ? overhead(OverheadBudget.SMALL)
                    : fail(Http2Error.CLOSED_STREAM);
        }
        if (target.isInputEnded()) {
            return failStream(target, Http2Error.CLOSED_STREAM);
        }
        Event event = accepted(target, length);
        if (event == Event.NONE) {
            state.creditBack(target, length - contentLeft);
            return contentLeft > 0 ? Event.NONE : endOfData(target);
        }
        return event;
    }

    private Event accepted(Http2Stream target, int length) {
        if (length > target.receiveWindow) {
            return failStream(target, Http2Error.WINDOW_EXCEEDED);
        }
        if (!state.server && !target.headReceived) {
            return failStream(target, Http2Error.HEAD_MISSING);
        }
        target.receiveWindow -= length;
        target.received += contentLeft;
        boolean known = target.declared != Http2Stream.UNKNOWN;
        if (known
                && (target.received > target.declared
                        || (dataEnds && target.received != target.declared))) {
            return failStream(target, Http2Error.LENGTH_DIFFERS);
        }
        if (bodyBytesMax >= 0 && target.received > bodyBytesMax) {
            return failStream(target, Http2Error.CONTENT_GREW_TOO_LARGE);
        }
        if (!dataEnds && contentLeft == 0) {
            return overhead(OverheadBudget.EMPTY);
        }
        state.budget.moved(contentLeft);
        return Event.NONE;
    }

    private Event moreData(int from, int to) {
        if (contentLeft == 0) {
            int skipped = Math.min(paddingLeft, to - from);
            paddingLeft -= skipped;
            consumed = from + skipped;
            return Event.NONE;
        }
        int count = Math.min(contentLeft, to - from);
        contentLeft -= count;
        consumed = from + count;
        if (contentLeft == 0) {
            int skipped = Math.min(paddingLeft, to - consumed);
            paddingLeft -= skipped;
            consumed += skipped;
        }
        Http2Stream target = state.streams.get(dataStream);
        if (target == null) {
            state.creditConnection(count);
            return Event.NONE;
        }
        stream = target;
        dataFrom = from;
        dataTo = from + count;
        if (contentLeft == 0 && dataEnds) {
            state.inputEnded(target);
        }
        return Event.DATA;
    }

    private Event endOfData(Http2Stream target) {
        if (!dataEnds) {
            return Event.NONE;
        }
        stream = target;
        dataFrom = consumed;
        dataTo = consumed;
        state.inputEnded(target);
        return Event.DATA;
    }

    // Heads

    private Event headers(int flags, int id, byte[] bytes, int start, int end) {
        int from = start;
        int to = end;
        if (id == 0) {
            return fail(Http2Error.NOT_ON_STREAM);
        }
        if (state.server ? !state.isOfPeer(id) : state.isIdle(id) || state.isOfPeer(id)) {
            return fail(Http2Error.BAD_STREAM);
        }
        if ((flags & Http2.FLAG_PADDED) != 0) {
            if (from == to) {
                return fail(Http2Error.BAD_LENGTH);
            }
            int padding = bytes[from++] & 0xff;
            if (padding > to - from) {
                return fail(Http2Error.BAD_PADDING);
            }
            to -= padding;
        }
        boolean self = false;
        if ((flags & Http2.FLAG_PRIORITY) != 0) {
            if (to - from < 5) {
                return fail(Http2Error.BAD_LENGTH);
            }
            self = PeerSettings.int31(bytes, from) == id;
            from += 5;
        }
        block.begin(id, (flags & Http2.FLAG_END_STREAM) != 0, self);
        if ((flags & Http2.FLAG_END_HEADERS) != 0) {
            block.end();
            return head(bytes, from, to);
        }
        return block.append(bytes, from, to) ? Event.NONE : fail(Http2Error.BLOCK_TOO_LARGE);
    }

    private Event continuation(int flags, byte[] bytes, int from, int to) {
        if (!block.isOpen()) {
            return fail(Http2Error.STRAY_CONTINUATION);
        }
        if (!block.next(bytes, from, to)) {
            return fail(Http2Error.BLOCK_TOO_LARGE);
        }
        if (state.budget.spend(OverheadBudget.SMALL)) {
            return fail(Http2Error.TOO_MUCH_OVERHEAD);
        }
        if ((flags & Http2.FLAG_END_HEADERS) == 0) {
            return Event.NONE;
        }
        int length = block.length();
        byte[] whole = block.end();
        return head(whole, 0, length);
    }

    /// A header block is complete.
    private Event head(byte[] bytes, int from, int to) {
        Http2Stream known = state.streams.get(block.streamId);
        boolean isNew = state.server && block.streamId > state.lastPeerId;
        HeadCollector.Kind kind =
                isNew
                        ? HeadCollector.Kind.REQUEST
                        : known != null && !state.server && !known.headReceived
                                ? HeadCollector.Kind.RESPONSE
                                : HeadCollector.Kind.TRAILERS;
        HeadCollector collector = new HeadCollector(kind, state.limits, secure);
        if (!decoder.decode(bytes, from, to, collector)) {
            return fail(Http2Error.BAD_BLOCK);
        }
        if (collector.isBomb()) {
            return fail(Http2Error.BLOCK_TOO_LARGE);
        }
        if (isNew) {
            state.begunByPeer(block.streamId);
            return request(collector);
        }
        if (known == null) {
            if (state.wasReset(block.streamId)) {
                return overhead(OverheadBudget.SMALL);
            }
            boolean skipped = state.wasSkipped(block.streamId);
            return fail(skipped ? Http2Error.BAD_STREAM : Http2Error.CLOSED_STREAM);
        }
        if (known.isInputEnded()) {
            return failStream(known, Http2Error.CLOSED_STREAM);
        }
        return kind == HeadCollector.Kind.RESPONSE
                ? response(known, collector)
                : trailers(known, collector);
    }

    private Event request(HeadCollector collector) {
        if (block.selfDependent) {
            return refuseStream(block.streamId, Http2Error.SELF_DEPENDENCY);
        }
        if (state.goingAway) {
            return refuseStream(block.streamId, Http2Error.GOING_AWAY);
        }
        if (state.slots >= state.limits.streamsMax()) {
            return refuseStream(block.streamId, Http2Error.TOO_MANY_STREAMS);
        }
        RequestHead head = collector.request(block.endStream);
        if (head == null) {
            return refuseStream(block.streamId, Http2Error.MALFORMED);
        }
        Http2Stream made = state.open(block.streamId);
        made.declared = collector.contentLength();
        Priority told = early.take(block.streamId);
        made.priority = told == null ? Priority.of(head.fields()) : told;
        stream = made;
        requestHead = head;
        if (block.endStream) {
            made.inputEnded();
        }
        refusal = collector.refusal(bodyBytesMax);
        if (refusal == null) {
            return Event.HEAD;
        }
        return state.budget.spend(OverheadBudget.SMALL)
                ? fail(Http2Error.TOO_MUCH_OVERHEAD)
                : Event.REFUSED;
    }

    private Event response(Http2Stream of, HeadCollector collector) {
        ResponseHead head = collector.response(block.endStream, of.bodyless);
        if (head == null || (head.isInterim() && block.endStream)) {
            return failStream(of, Http2Error.MALFORMED);
        }
        stream = of;
        responseHead = head;
        if (!head.isInterim()) {
            of.headReceived = true;
            // A status without content may tell a length that is not to come (RFC 9110 §8.6).
            boolean any = head.contentLength() != 0 && !of.bodyless;
            of.declared = any ? collector.contentLength() : 0;
            if (of.tunnel && head.status() / 100 == 2) {
                of.declared = Http2Stream.UNKNOWN; // whatever it says (RFC 9110 §9.3.6)
            }
        }
        if (block.endStream) {
            state.inputEnded(of);
        }
        return Event.HEAD;
    }

    private Event trailers(Http2Stream of, HeadCollector collector) {
        if (!block.endStream) {
            return failStream(of, Http2Error.HEAD_REPEATED);
        }
        if (collector.isMalformed() || collector.isTooLarge()) {
            return failStream(of, Http2Error.MALFORMED);
        }
        if (of.declared != Http2Stream.UNKNOWN && of.received != of.declared) {
            return failStream(of, Http2Error.LENGTH_DIFFERS);
        }
        stream = of;
        trailers = collector.trailers();
        state.inputEnded(of);
        return Event.TRAILERS;
    }

    // Other frames

    private Event priority(int id, byte[] bytes, int from, int to) {
        if (id == 0) {
            return fail(Http2Error.NOT_ON_STREAM);
        }
        Http2Stream known = state.streams.get(id);
        if (to - from != 5) {
            return known == null
                    ? fail(Http2Error.BAD_LENGTH)
                    : failStream(known, Http2Error.BAD_LENGTH);
        }
        if (PeerSettings.int31(bytes, from) == id) {
            return known == null
                    ? fail(Http2Error.SELF_DEPENDENCY)
                    : failStream(known, Http2Error.SELF_DEPENDENCY);
        }
        return overhead(OverheadBudget.SMALL);
    }

    /// What cannot be read says nothing, as in the field of a request (RFC 9218 §7.1).
    private Event priorityUpdate(int id, byte[] bytes, int from, int to) {
        if (id != 0) {
            return fail(Http2Error.NOT_ON_STREAM);
        }
        if (to - from < 4) {
            return fail(Http2Error.BAD_LENGTH);
        }
        int target = PeerSettings.int31(bytes, from);
        if (!state.server || target == 0 || (!state.isOfPeer(target) && state.isIdle(target))) {
            return fail(Http2Error.BAD_STREAM);
        }
        if (state.budget.spend(OverheadBudget.SMALL)) {
            return fail(Http2Error.TOO_MUCH_OVERHEAD);
        }
        String value = new String(bytes, from + 4, to - from - 4, StandardCharsets.ISO_8859_1);
        priority = Priority.DEFAULT.changedBy(value);
        if (state.isIdle(target)) {
            early.put(target, priority);
            return Event.NONE;
        }
        stream = state.streams.get(target);
        return stream == null ? Event.NONE : Event.PRIORITY;
    }

    private Event resetByPeer(int id, byte[] bytes, int from, int to) {
        if (id == 0) {
            return fail(Http2Error.NOT_ON_STREAM);
        }
        if (to - from != 4) {
            return fail(Http2Error.BAD_LENGTH);
        }
        if (state.isIdle(id)) {
            return fail(Http2Error.IDLE_STREAM);
        }
        Http2Stream known = state.streams.get(id);
        if (known == null) {
            return overhead(OverheadBudget.SMALL);
        }
        known.state = Http2Stream.State.CLOSED;
        known.isReset = true;
        state.forget(known);
        code = PeerSettings.int32(bytes, from);
        if (state.budget.spend(OverheadBudget.RESET)) {
            return fail(Http2Error.TOO_MUCH_OVERHEAD);
        }
        stream = known;
        return Event.RESET;
    }

    private Event settings(int flags, int id, byte[] bytes, int from, int to) {
        if (id != 0) {
            return fail(Http2Error.NOT_ON_STREAM);
        }
        if ((flags & Http2.FLAG_ACK) != 0) {
            return to == from ? overhead(OverheadBudget.SMALL) : fail(Http2Error.BAD_LENGTH);
        }
        if ((to - from) % 6 != 0) {
            return fail(Http2Error.BAD_LENGTH);
        }
        if ((to - from) / 6 > state.limits.settingsMax()) {
            return fail(Http2Error.TOO_MUCH_OVERHEAD);
        }
        int windowBefore = state.peer.initialWindow;
        ProtocolError error = state.peer.read(bytes, from, to, state.server);
        if (error != null) {
            return fail(error);
        }
        if (!moveWindows(state.peer.initialWindow - windowBefore)) {
            return fail(Http2Error.BAD_WINDOW_SETTING);
        }
        settingsReceived = true;
        state.settled = true;
        state.writer.encoder.tableBytesMax(state.peer.headerTableBytes);
        state.writer.frameBytesMax = Math.min(state.peer.frameBytesMax, Http2.FRAME_SIZE_DEFAULT);
        state.writer.settingsAck();
        return answered(OverheadBudget.SETTINGS) ? Event.ROOM : Event.FAILED;
    }

    /// Counts a frame that was answered.
    ///
    /// @return false when the session has failed now
    private boolean answered(int units) {
        if (state.budget.spend(units)) {
            fail(Http2Error.TOO_MUCH_OVERHEAD);
            return false;
        }
        if (state.writer.out.size() > state.limits.pendingBytesMax()) {
            fail(Http2Error.OUTPUT_NOT_TAKEN);
            return false;
        }
        return true;
    }

    private boolean moveWindows(int by) {
        if (by != 0) {
            for (Http2Stream each : state.streams.all()) {
                long moved = (long) each.sendWindow + by;
                if (moved > Http2.WINDOW_MAX) {
                    return false;
                }
                each.sendWindow = (int) moved;
            }
        }
        return true;
    }

    private Event ping(int flags, int id, byte[] bytes, int from, int to) {
        if (id != 0) {
            return fail(Http2Error.NOT_ON_STREAM);
        }
        if (to - from != 8) {
            return fail(Http2Error.BAD_LENGTH);
        }
        if ((flags & Http2.FLAG_ACK) != 0) {
            return state.budget.spend(OverheadBudget.SMALL)
                    ? fail(Http2Error.TOO_MUCH_OVERHEAD)
                    : Event.PONG;
        }
        state.writer.ping(Http2.FLAG_ACK, bytes, from);
        return answered(OverheadBudget.PING) ? Event.NONE : Event.FAILED;
    }

    private Event goAwayByPeer(int id, byte[] bytes, int from, int to) {
        if (id != 0) {
            return fail(Http2Error.NOT_ON_STREAM);
        }
        if (to - from < 8) {
            return fail(Http2Error.BAD_LENGTH);
        }
        lastKnownId = PeerSettings.int31(bytes, from);
        code = PeerSettings.int32(bytes, from + 4);
        return state.budget.spend(OverheadBudget.SETTINGS)
                ? fail(Http2Error.TOO_MUCH_OVERHEAD)
                : Event.GOAWAY;
    }

    private Event windowUpdate(int id, byte[] bytes, int from, int to) {
        if (to - from != 4) {
            return fail(Http2Error.BAD_LENGTH);
        }
        int increment = PeerSettings.int31(bytes, from);
        if (id == 0) {
            if (increment == 0) {
                return fail(Http2Error.NO_INCREMENT);
            }
            if (increment > Http2.WINDOW_MAX - Math.max(0, state.sendWindow)) {
                return fail(Http2Error.WINDOW_OVERFLOW);
            }
            state.sendWindow += increment;
            return overhead(OverheadBudget.SMALL) == Event.NONE ? Event.ROOM : Event.FAILED;
        }
        if (state.isIdle(id)) {
            return fail(Http2Error.IDLE_STREAM);
        }
        Http2Stream known = state.streams.get(id);
        if (known == null) {
            return overhead(OverheadBudget.SMALL);
        }
        if (increment == 0) {
            return failStream(known, Http2Error.NO_INCREMENT);
        }
        if ((long) known.sendWindow + increment > Http2.WINDOW_MAX) {
            return failStream(known, Http2Error.WINDOW_OVERFLOW);
        }
        known.sendWindow += increment;
        if (overhead(OverheadBudget.SMALL) != Event.NONE) {
            return Event.FAILED;
        }
        stream = known;
        return Event.ROOM;
    }
}
