package io.margay.protocol.http2;

import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.Priority;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http2.Http2Session.Event;
import org.jspecify.annotations.Nullable;

/// The receiving half of a session: checks frames against the rules and the limits, and says what
/// they mean. Heads and content are its own; [ControlFrames] has the others. Guarded as its session
/// is.
final class FrameReceiver {
    private final SessionState state;
    private final boolean secure;
    private final RequestTarget.Characters characters;
    private final long bodyBytesMax;
    private final HpackDecoder decoder;
    private final HeaderBlock block;
    private final KnownHeads heads = new KnownHeads();
    private final EarlyPriorities early = new EarlyPriorities();
    private final ControlFrames control;

    /// What the last call found.
    final Outcome outcome;

    private boolean prefaceDue;

    /// Of a DATA frame that is being received: octets of content and of padding that are to come.
    private int contentLeft;

    private int paddingLeft;
    private boolean dataEnds;
    private int dataStream;

    FrameReceiver(
            SessionState state,
            boolean secure,
            long bodyBytesMax,
            RequestTarget.Characters characters) {
        this.state = state;
        this.secure = secure;
        this.characters = characters;
        this.bodyBytesMax = bodyBytesMax;
        decoder = new HpackDecoder(state.limits.headerTableBytes());
        block = new HeaderBlock(state.limits);
        outcome = new Outcome(state);
        control = new ControlFrames(state, outcome, early);
        prefaceDue = state.server;
    }

    boolean isWithinBlock() {
        return block.isOpen();
    }

    int blockBytes() {
        return block.isOpen() ? block.capacity() : 0;
    }

    /// Gives back what the header block was collected in, and the heads that are known.
    void trim() {
        block.trim();
        heads.trim();
    }

    /// Looks at `bytes[from,to)`, which begin where the last call left off.
    Event receive(byte[] bytes, int from, int to) {
        outcome.consumed = from;
        outcome.stream = null;
        outcome.refusal = null;
        if (state.failure != null) {
            outcome.consumed = to;
            outcome.refusal = state.failure;
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
            return outcome.fail(Http2Error.FRAME_TOO_LONG);
        }
        if (block.isOpen() && (type != Http2.CONTINUATION || id != block.streamId)) {
            return outcome.fail(Http2Error.BLOCK_INTERRUPTED);
        }
        if (!control.settingsReceived() && (type != Http2.SETTINGS || (bytes[from + 4] & 1) != 0)) {
            return outcome.fail(Http2Error.SETTINGS_MISSING);
        }
        int start = from + Http2.FRAME_HEADER_BYTES;
        if (type == Http2.DATA) {
            return data(bytes, start, to, length, bytes[from + 4], id);
        }
        if (to - start < length) {
            return Event.NEED_MORE;
        }
        outcome.consumed = start + length;
        return frame(type, bytes[from + 4] & 0xff, id, bytes, start, outcome.consumed);
    }

    private Event preface(byte[] bytes, int from, int to) {
        int match = Http2.prefaceMatch(bytes, from, to);
        if (match < 0) {
            return outcome.fail(Http2Error.BAD_PREFACE);
        }
        if (match < Http2.prefaceBytes()) {
            return Event.NEED_MORE;
        }
        prefaceDue = false;
        outcome.consumed = from + match;
        return Event.NONE;
    }

    private Event frame(int type, int flags, int id, byte[] bytes, int from, int to) {
        return switch (type) {
            case Http2.HEADERS -> headers(flags, id, bytes, from, to);
            case Http2.CONTINUATION -> continuation(flags, bytes, from, to);
            case Http2.PRIORITY -> control.priority(id, bytes, from, to);
            case Http2.RST_STREAM -> control.resetByPeer(id, bytes, from, to);
            case Http2.SETTINGS -> control.settings(flags, id, bytes, from, to);
            case Http2.PUSH_PROMISE -> outcome.fail(Http2Error.PUSHED);
            case Http2.PING -> control.ping(flags, id, bytes, from, to);
            case Http2.GOAWAY -> control.goAwayByPeer(id, bytes, from, to);
            case Http2.WINDOW_UPDATE -> control.windowUpdate(id, bytes, from, to);
            case Http2.PRIORITY_UPDATE -> control.priorityUpdate(id, bytes, from, to);
            default -> outcome.overhead(OverheadBudget.EMPTY);
        };
    }

    // DATA

    private Event data(byte[] bytes, int start, int to, int length, int flags, int id) {
        boolean padded = (flags & Http2.FLAG_PADDED) != 0;
        if (padded && length > 0 && to == start) {
            return Event.NEED_MORE;
        }
        int padding = padded && length > 0 ? bytes[start] & 0xff : 0;
        if (id == 0) {
            return outcome.fail(Http2Error.NOT_ON_STREAM);
        }
        if (padded && padding >= length) {
            return outcome.fail(length == 0 ? Http2Error.BAD_LENGTH : Http2Error.BAD_PADDING);
        }
        if (state.isIdle(id)) {
            return outcome.fail(Http2Error.IDLE_STREAM);
        }
        if (length > state.receiveWindow) {
            return outcome.fail(Http2Error.WINDOW_EXCEEDED);
        }
        state.receiveWindow -= length;
        outcome.consumed = padded ? start + 1 : start;
        contentLeft = padded ? length - 1 - padding : length;
        paddingLeft = padding;
        dataEnds = (flags & Http2.FLAG_END_STREAM) != 0;
        dataStream = id;
        // What is no content takes no room; nor does content for a stream that is over, see below.
        state.creditConnection(length - contentLeft);
        Http2Stream target = state.streams.get(id);
        if (target == null) {
            return state.wasReset(id)
                    ? outcome.overhead(OverheadBudget.SMALL)
                    : outcome.fail(Http2Error.CLOSED_STREAM);
        }
        if (target.isInputEnded()) {
            return outcome.failStream(target, Http2Error.CLOSED_STREAM);
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
            return outcome.failStream(target, Http2Error.WINDOW_EXCEEDED);
        }
        if (!state.server && !target.headReceived) {
            return outcome.failStream(target, Http2Error.HEAD_MISSING);
        }
        target.receiveWindow -= length;
        target.received += contentLeft;
        boolean known = target.declared != Http2Stream.UNKNOWN;
        if (known
                && (target.received > target.declared
                        || (dataEnds && target.received != target.declared))) {
            return outcome.failStream(target, Http2Error.LENGTH_DIFFERS);
        }
        if (bodyBytesMax >= 0 && target.received > bodyBytesMax) {
            return outcome.failStream(target, Http2Error.CONTENT_GREW_TOO_LARGE);
        }
        if (!dataEnds && contentLeft == 0) {
            return outcome.overhead(OverheadBudget.EMPTY);
        }
        state.budget.moved(contentLeft);
        return Event.NONE;
    }

    private Event moreData(int from, int to) {
        if (contentLeft == 0) {
            int skipped = Math.min(paddingLeft, to - from);
            paddingLeft -= skipped;
            outcome.consumed = from + skipped;
            return Event.NONE;
        }
        int count = Math.min(contentLeft, to - from);
        contentLeft -= count;
        outcome.consumed = from + count;
        if (contentLeft == 0) {
            int skipped = Math.min(paddingLeft, to - outcome.consumed);
            paddingLeft -= skipped;
            outcome.consumed += skipped;
        }
        Http2Stream target = state.streams.get(dataStream);
        if (target == null) {
            state.creditConnection(count);
            return Event.NONE;
        }
        outcome.stream = target;
        outcome.dataFrom = from;
        outcome.dataTo = from + count;
        if (contentLeft == 0 && dataEnds) {
            state.inputEnded(target);
        }
        return Event.DATA;
    }

    private Event endOfData(Http2Stream target) {
        if (!dataEnds) {
            return Event.NONE;
        }
        outcome.stream = target;
        outcome.dataFrom = outcome.consumed;
        outcome.dataTo = outcome.consumed;
        state.inputEnded(target);
        return Event.DATA;
    }

    // Heads

    private Event headers(int flags, int id, byte[] bytes, int start, int end) {
        int from = start;
        int to = end;
        if (id == 0) {
            return outcome.fail(Http2Error.NOT_ON_STREAM);
        }
        if (state.server ? !state.isOfPeer(id) : state.isIdle(id) || state.isOfPeer(id)) {
            return outcome.fail(Http2Error.BAD_STREAM);
        }
        if ((flags & Http2.FLAG_PADDED) != 0) {
            if (from == to) {
                return outcome.fail(Http2Error.BAD_LENGTH);
            }
            int padding = bytes[from++] & 0xff;
            if (padding > to - from) {
                return outcome.fail(Http2Error.BAD_PADDING);
            }
            to -= padding;
        }
        boolean self = false;
        if ((flags & Http2.FLAG_PRIORITY) != 0) {
            if (to - from < 5) {
                return outcome.fail(Http2Error.BAD_LENGTH);
            }
            self = PeerSettings.int31(bytes, from) == id;
            from += 5;
        }
        block.begin(id, (flags & Http2.FLAG_END_STREAM) != 0, self);
        if ((flags & Http2.FLAG_END_HEADERS) != 0) {
            block.end();
            return head(bytes, from, to);
        }
        return block.append(bytes, from, to)
                ? Event.NONE
                : outcome.fail(Http2Error.BLOCK_TOO_LARGE);
    }

    private Event continuation(int flags, byte[] bytes, int from, int to) {
        if (!block.isOpen()) {
            return outcome.fail(Http2Error.STRAY_CONTINUATION);
        }
        if (!block.next(bytes, from, to)) {
            return outcome.fail(Http2Error.BLOCK_TOO_LARGE);
        }
        if (state.budget.spend(OverheadBudget.SMALL)) {
            return outcome.fail(Http2Error.TOO_MUCH_OVERHEAD);
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
        if (state.server && block.streamId > state.lastPeerId) {
            return request(bytes, from, to);
        }
        Http2Stream known = state.streams.get(block.streamId);
        HeadCollector.Kind kind =
                known != null && !state.server && !known.headReceived
                        ? HeadCollector.Kind.RESPONSE
                        : HeadCollector.Kind.TRAILERS;
        HeadCollector collector = collector(kind);
        ProtocolError bad = decode(bytes, from, to, collector);
        if (bad != null) {
            return outcome.fail(bad);
        }
        if (known == null) {
            if (state.wasReset(block.streamId)) {
                return outcome.overhead(OverheadBudget.SMALL);
            }
            boolean skipped = state.wasSkipped(block.streamId);
            return outcome.fail(skipped ? Http2Error.BAD_STREAM : Http2Error.CLOSED_STREAM);
        }
        if (known.isInputEnded()) {
            return outcome.failStream(known, Http2Error.CLOSED_STREAM);
        }
        return kind == HeadCollector.Kind.RESPONSE
                ? response(known, collector)
                : trailers(known, collector);
    }

    private HeadCollector collector(HeadCollector.Kind kind) {
        return new HeadCollector(kind, HttpVersion.HTTP_2, state.limits, secure, characters);
    }

    /// Has the fields of a block collected.
    ///
    /// @return what is wrong with it for the connection, or null
    private @Nullable ProtocolError decode(
            byte[] bytes, int from, int to, HeadCollector collector) {
        if (!decoder.decode(bytes, from, to, collector)) {
            return Http2Error.BAD_BLOCK;
        }
        return collector.isBomb() ? Http2Error.BLOCK_TOO_LARGE : null;
    }

    /// A request that begins a stream.
    private Event request(byte[] bytes, int from, int to) {
        boolean ends = block.endStream;
        long table = decoder.changes();
        KnownHeads.Known known = heads.find(bytes, from, to, ends, table);
        if (known != null) {
            state.begunByPeer(block.streamId);
            ProtocolError refused = refusedUnseen();
            return refused == null
                    ? begin(known.head(), known.declared(), known.priority(), null)
                    : outcome.refuseStream(block.streamId, refused);
        }
        HeadCollector collector = collector(HeadCollector.Kind.REQUEST);
        ProtocolError bad = decode(bytes, from, to, collector);
        if (bad != null) {
            return outcome.fail(bad);
        }
        state.begunByPeer(block.streamId);
        ProtocolError refused = refusedUnseen();
        RequestHead head = refused == null ? collector.request(ends) : null;
        if (head == null) {
            return outcome.refuseStream(
                    block.streamId, refused == null ? Http2Error.MALFORMED : refused);
        }
        long declared = collector.contentLength();
        Priority priority = Priority.of(head.fields());
        ProtocolError refusal = collector.refusal(bodyBytesMax);
        if (refusal == null && decoder.changes() == table) {
            int octets = collector.octets();
            heads.put(bytes, from, to, octets, table, ends, head, declared, priority);
        }
        return begin(head, declared, priority, refusal);
    }

    /// Why a stream is not taken, whatever it asks for; or null.
    private @Nullable ProtocolError refusedUnseen() {
        if (block.selfDependent) {
            return Http2Error.SELF_DEPENDENCY;
        }
        if (state.goingAway) {
            return Http2Error.GOING_AWAY;
        }
        return state.isFull() ? Http2Error.TOO_MANY_STREAMS : null;
    }

    /// @param priority what the head says of it, or null
    /// @param refusal why it is answered without being handled, or null
    private Event begin(
            RequestHead head,
            long declared,
            @Nullable Priority priority,
            @Nullable ProtocolError refusal) {
        Http2Stream made = state.open(block.streamId);
        made.declared = declared;
        Priority told = early.take(block.streamId);
        made.priority(told == null ? priority : told);
        outcome.stream = made;
        outcome.requestHead = head;
        if (block.endStream) {
            made.inputEnded();
        }
        outcome.refusal = refusal;
        if (refusal == null) {
            return Event.HEAD;
        }
        return state.budget.spend(OverheadBudget.SMALL)
                ? outcome.fail(Http2Error.TOO_MUCH_OVERHEAD)
                : Event.REFUSED;
    }

    private Event response(Http2Stream of, HeadCollector collector) {
        ResponseHead head = collector.response(block.endStream, of.bodyless);
        if (head == null || (head.isInterim() && block.endStream)) {
            return outcome.failStream(of, Http2Error.MALFORMED);
        }
        outcome.stream = of;
        outcome.responseHead = head;
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
            return outcome.failStream(of, Http2Error.HEAD_REPEATED);
        }
        if (collector.isMalformed() || collector.isTooLarge()) {
            return outcome.failStream(of, Http2Error.MALFORMED);
        }
        if (of.declared != Http2Stream.UNKNOWN && of.received != of.declared) {
            return outcome.failStream(of, Http2Error.LENGTH_DIFFERS);
        }
        outcome.stream = of;
        outcome.trailers = collector.trailers();
        state.inputEnded(of);
        return Event.TRAILERS;
    }
}
