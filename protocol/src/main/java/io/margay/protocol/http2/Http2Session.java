package io.margay.protocol.http2;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.ResponseHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One HTTP/2 connection as a state machine (RFC 9113): octets in, one event at a time; what is to
/// be sent collects in [#output]. It answers SETTINGS and PING by itself, and keeps all windows.
///
/// Not thread-safe: a connection whose streams are worked on by several threads guards it by one
/// lock, which is held for one call at a time.
public final class Http2Session {
    /// Which side this is.
    public enum Role {
        CLIENT,
        SERVER
    }

    /// What [#receive] has found.
    public enum Event {
        /// The octets end before the next frame does.
        NEED_MORE,
        /// A frame that needs nothing from the caller, or a part of one.
        NONE,
        /// A head: [#requestHead] or [#responseHead]; the stream is new for a server.
        HEAD,
        /// A request that is to be answered with [#refusal] and not to be handled.
        REFUSED,
        /// Content, or the end of it: [#dataFrom], [#dataTo].
        DATA,
        /// Trailers, which end the content.
        TRAILERS,
        /// The stream has ended before its time; [#refusal] says why, null when the peer did it.
        RESET,
        /// There is room to send, on [#stream], or on every stream when it is null.
        ROOM,
        /// A PING of ours was answered.
        PONG,
        /// The peer will begin no more streams, or take no more of ours.
        GOAWAY,
        /// The peer broke the protocol: GOAWAY is in the output, and nothing more is read.
        FAILED
    }

    /// How many streams that were reset here are remembered, so that what the peer had sent before
    /// it knew is ignored.
    private static final int RESETS_REMEMBERED = 256;

    private static final int LEAST_ROOM_BYTES = 1_024;

    private final boolean server;
    private final boolean secure;
    private final Http2Limits limits;
    private final long bodyBytesMax;
    private final FrameWriter writer = new FrameWriter();
    private final HpackDecoder decoder;
    private final OverheadBudget budget;
    private final StreamTable streams = new StreamTable();
    private final HeaderBlock block;
    private final PeerSettings peer = new PeerSettings();
    private final int[] resets = new int[RESETS_REMEMBERED];
    private int resetCount;

    private boolean prefaceDue;
    private boolean settingsReceived;
    private @Nullable ProtocolError failure;
    private boolean goingAway;
    private int slots;
    private int lastPeerId;
    private int nextId;
    private boolean hurried;
    private int sendWindow = Http2.WINDOW_DEFAULT;
    private int receiveWindow;
    private int credit;

    /// Of a DATA frame that is being received: octets of content and of padding that are to come.
    private int contentLeft;

    private int paddingLeft;
    private boolean dataEnds;
    private int dataStream;

    // The event
    private int consumed;
    private @Nullable Http2Stream stream;
    private @Nullable RequestHead requestHead;
    private @Nullable ResponseHead responseHead;
    private @Nullable ProtocolError refusal;
    private Fields trailers = Fields.EMPTY;
    private int dataFrom;
    private int dataTo;

    /// @param secure whether the connection is encrypted
    /// @param bodyBytesMax content that a message may have, or -1 for any
    public Http2Session(Role role, Http2Limits limits, boolean secure, long bodyBytesMax) {
        server = role == Role.SERVER;
        this.limits = limits;
        this.secure = secure;
        this.bodyBytesMax = bodyBytesMax;
        decoder = new HpackDecoder(limits.headerTableBytes());
        budget = new OverheadBudget(limits.overheadMax(), limits.overheadPerSecond());
        block = new HeaderBlock(limits);
        prefaceDue = server;
        nextId = server ? 2 : 1;
        receiveWindow = limits.connectionWindowBytes();
        begin();
    }

    private void begin() {
        if (server) {
            writer.settings(
                    Http2.SETTINGS_MAX_CONCURRENT_STREAMS,
                    limits.streamsMax(),
                    Http2.SETTINGS_INITIAL_WINDOW_SIZE,
                    limits.streamWindowBytes(),
                    Http2.SETTINGS_MAX_HEADER_LIST_SIZE,
                    limits.headBytesMax(),
                    Http2.SETTINGS_ENABLE_CONNECT_PROTOCOL,
                    1);
        } else {
            Http2.putPreface(writer.out);
            writer.settings(
                    Http2.SETTINGS_ENABLE_PUSH,
                    0,
                    Http2.SETTINGS_INITIAL_WINDOW_SIZE,
                    limits.streamWindowBytes(),
                    Http2.SETTINGS_MAX_HEADER_LIST_SIZE,
                    limits.headBytesMax());
        }
        int more = limits.connectionWindowBytes() - Http2.WINDOW_DEFAULT;
        if (more > 0) {
            writer.windowUpdate(0, more);
        }
    }

    // What the caller asks for

    /// What is to be sent.
    public Http2Buffer output() {
        return writer.out;
    }

    /// Where the octets begin that the last [#receive] has not used.
    public int consumed() {
        return consumed;
    }

    /// The stream of the event.
    public @Nullable Http2Stream stream() {
        return stream;
    }

    /// The head of the event, on the server's side.
    public RequestHead requestHead() {
        return known(requestHead);
    }

    /// The head of the event, on the client's side.
    public ResponseHead responseHead() {
        return known(responseHead);
    }

    /// Why a request is refused, a stream was reset, or the session failed.
    public @Nullable ProtocolError refusal() {
        return refusal;
    }

    /// Where the content of the event begins in the octets that were given.
    public int dataFrom() {
        return dataFrom;
    }

    /// Where it ends.
    public int dataTo() {
        return dataTo;
    }

    /// The trailers of the event.
    public Fields trailers() {
        return trailers;
    }

    /// Whether a frame or a header block has begun and not ended.
    public boolean isWithinBlock() {
        return block.isOpen();
    }

    /// Whether the peer may be sent extended CONNECT.
    public boolean mayConnectProtocols() {
        return peer.connectProtocol;
    }

    /// Streams that are open, or on which work goes on.
    public int slots() {
        return slots;
    }

    /// Streams that are open.
    public List<Http2Stream> streams() {
        return streams.all();
    }

    private static <T> T known(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("the event has none");
        }
        return value;
    }

    // Receiving

    /// Looks at `bytes[from,to)`, which begin where the last call left off.
    public Event receive(byte[] bytes, int from, int to) {
        consumed = from;
        stream = null;
        refusal = null;
        if (failure != null) {
            consumed = to;
            refusal = failure;
            return Event.FAILED;
        }
        if (prefaceDue) {
            return preface(bytes, from, to);
        }
        if (contentLeft > 0 || paddingLeft > 0) {
            return from == to ? Event.NEED_MORE : moreData(bytes, from, to);
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
            case Http2.RST_STREAM -> resetByPeer(id, to - from);
            case Http2.SETTINGS -> settings(flags, id, bytes, from, to);
            case Http2.PUSH_PROMISE -> fail(Http2Error.PUSHED);
            case Http2.PING -> ping(flags, id, bytes, from, to);
            case Http2.GOAWAY -> goAwayByPeer(id, to - from);
            case Http2.WINDOW_UPDATE -> windowUpdate(id, bytes, from, to);
            default -> overhead(OverheadBudget.EMPTY);
        };
    }

    private Event fail(ProtocolError error) {
        failure = error;
        refusal = error;
        goingAway = true;
        writer.goAway(lastPeerId, error.http2Code());
        return Event.FAILED;
    }

    private Event overhead(int units) {
        return budget.spend(units) ? fail(Http2Error.TOO_MUCH_OVERHEAD) : Event.NONE;
    }

    /// Ends a stream because of what the peer did on it.
    private Event failStream(Http2Stream failed, ProtocolError error) {
        resetNow(failed, error.http2Code());
        if (budget.spend(OverheadBudget.RESET)) {
            return fail(Http2Error.TOO_MUCH_OVERHEAD);
        }
        stream = failed;
        refusal = error;
        return Event.RESET;
    }

    /// The same for a stream that nobody knows of.
    private Event refuseStream(int id, ProtocolError error) {
        writer.reset(id, error.http2Code());
        remember(id);
        return overhead(OverheadBudget.RESET);
    }

    private boolean isOfPeer(int id) {
        return (id & 1) == (server ? 1 : 0);
    }

    private boolean isIdle(int id) {
        return isOfPeer(id) ? id > lastPeerId : id >= nextId;
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
        if (isIdle(id)) {
            return fail(Http2Error.IDLE_STREAM);
        }
        if (length > receiveWindow) {
            return fail(Http2Error.WINDOW_EXCEEDED);
        }
        receiveWindow -= length;
        consumed = padded ? start + 1 : start;
        contentLeft = padded ? length - 1 - padding : length;
        paddingLeft = padding;
        dataEnds = (flags & Http2.FLAG_END_STREAM) != 0;
        dataStream = id;
        // What is no content takes no room; nor does content for a stream that is over, see below.
        creditConnection(length - contentLeft);
        Http2Stream target = streams.get(id);
        if (target == null) {
            return wasReset(id) ? overhead(OverheadBudget.SMALL) : fail(Http2Error.CLOSED_STREAM);
        }
        if (target.isInputEnded()) {
            return failStream(target, Http2Error.CLOSED_STREAM);
        }
        Event event = accepted(target, length);
        if (event == Event.NONE) {
            creditBack(target, length - contentLeft);
            return contentLeft > 0 ? Event.NONE : endOfData(target);
        }
        return event;
    }

    private Event accepted(Http2Stream target, int length) {
        if (length > target.receiveWindow) {
            return failStream(target, Http2Error.WINDOW_EXCEEDED);
        }
        if (!server && !target.headReceived) {
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
        budget.moved(contentLeft);
        return Event.NONE;
    }

    private Event moreData(byte[] bytes, int from, int to) {
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
        Http2Stream target = streams.get(dataStream);
        if (target == null) {
            creditConnection(count);
            return Event.NONE;
        }
        stream = target;
        dataFrom = from;
        dataTo = from + count;
        if (contentLeft == 0 && dataEnds) {
            inputEnded(target);
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
        inputEnded(target);
        return Event.DATA;
    }

    private void inputEnded(Http2Stream ended) {
        ended.inputEnded();
        closedIfSo(ended);
    }

    private void closedIfSo(Http2Stream ended) {
        if (ended.state == Http2Stream.State.CLOSED) {
            budget.earn(OverheadBudget.MESSAGE_ENDED);
            forget(ended);
        }
    }

    /// Drops a stream that is closed from the table.
    private void forget(Http2Stream closed) {
        streams.remove(closed);
        freeSlot(closed);
    }

    private void freeSlot(Http2Stream closed) {
        if (closed.released && closed.state == Http2Stream.State.CLOSED) {
            slots--;
        }
    }

    /// Work on the stream is over: when it is closed, the peer may begin another in its place.
    /// Called once.
    public void release(Http2Stream done) {
        if (!done.released) {
            done.released = true;
            freeSlot(done);
        }
    }

    // Room for the peer

    /// Content of a stream has been used: the peer may send as much again.
    ///
    /// @return whether it is to be told now, so that the output needs to be sent
    public boolean used(Http2Stream of, int count) {
        int before = writer.out.size();
        creditBack(of, count);
        creditConnection(count);
        return writer.out.size() > before;
    }

    private void creditBack(Http2Stream of, int count) {
        if (of.isInputEnded()) {
            return;
        }
        of.credit += count;
        if (of.credit >= limits.streamWindowBytes() / 2) {
            writer.windowUpdate(of.id, of.credit);
            of.receiveWindow += of.credit;
            of.credit = 0;
        }
    }

    private void creditConnection(int count) {
        credit += count;
        if (credit >= limits.connectionWindowBytes() / 2 && failure == null) {
            writer.windowUpdate(0, credit);
            receiveWindow += credit;
            credit = 0;
        }
    }

    // Heads

    private Event headers(int flags, int id, byte[] bytes, int start, int end) {
        int from = start;
        int to = end;
        if (id == 0) {
            return fail(Http2Error.NOT_ON_STREAM);
        }
        if (server ? !isOfPeer(id) : isIdle(id) || isOfPeer(id)) {
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
        if (budget.spend(OverheadBudget.SMALL)) {
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
        Http2Stream known = streams.get(block.streamId);
        boolean isNew = server && block.streamId > lastPeerId;
        HeadCollector.Kind kind =
                isNew
                        ? HeadCollector.Kind.REQUEST
                        : known != null && !server && !known.headReceived
                                ? HeadCollector.Kind.RESPONSE
                                : HeadCollector.Kind.TRAILERS;
        HeadCollector collector = new HeadCollector(kind, limits, secure);
        if (!decoder.decode(bytes, from, to, collector)) {
            return fail(Http2Error.BAD_BLOCK);
        }
        if (collector.isBomb()) {
            return fail(Http2Error.BLOCK_TOO_LARGE);
        }
        if (isNew) {
            lastPeerId = block.streamId;
            return request(collector);
        }
        if (known == null) {
            return wasReset(block.streamId)
                    ? overhead(OverheadBudget.SMALL)
                    : fail(Http2Error.CLOSED_STREAM);
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
        if (goingAway) {
            return refuseStream(block.streamId, Http2Error.GOING_AWAY);
        }
        if (slots >= limits.streamsMax()) {
            return refuseStream(block.streamId, Http2Error.TOO_MANY_STREAMS);
        }
        RequestHead head = collector.request(block.endStream);
        if (head == null) {
            return refuseStream(block.streamId, Http2Error.MALFORMED);
        }
        Http2Stream made =
                new Http2Stream(block.streamId, peer.initialWindow, limits.streamWindowBytes());
        made.declared = collector.contentLength();
        streams.add(made);
        slots++;
        stream = made;
        requestHead = head;
        if (block.endStream) {
            made.inputEnded();
        }
        refusal = collector.refusal(bodyBytesMax);
        if (refusal == null) {
            return Event.HEAD;
        }
        return budget.spend(OverheadBudget.SMALL)
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
            of.declared = of.bodyless ? 0 : collector.contentLength();
        }
        if (block.endStream) {
            inputEnded(of);
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
        inputEnded(of);
        return Event.TRAILERS;
    }

    // Other frames

    private Event priority(int id, byte[] bytes, int from, int to) {
        if (id == 0) {
            return fail(Http2Error.NOT_ON_STREAM);
        }
        Http2Stream known = streams.get(id);
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

    private Event resetByPeer(int id, int length) {
        if (id == 0) {
            return fail(Http2Error.NOT_ON_STREAM);
        }
        if (length != 4) {
            return fail(Http2Error.BAD_LENGTH);
        }
        if (isIdle(id)) {
            return fail(Http2Error.IDLE_STREAM);
        }
        Http2Stream known = streams.get(id);
        if (known == null) {
            return overhead(OverheadBudget.SMALL);
        }
        known.state = Http2Stream.State.CLOSED;
        known.isReset = true;
        forget(known);
        if (budget.spend(OverheadBudget.RESET)) {
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
        if ((to - from) / 6 > limits.settingsMax()) {
            return fail(Http2Error.TOO_MUCH_OVERHEAD);
        }
        int windowBefore = peer.initialWindow;
        ProtocolError error = peer.read(bytes, from, to, server);
        if (error != null) {
            return fail(error);
        }
        if (!moveWindows(peer.initialWindow - windowBefore)) {
            return fail(Http2Error.BAD_WINDOW_SETTING);
        }
        settingsReceived = true;
        writer.encoder.tableBytesMax(peer.headerTableBytes);
        writer.frameBytesMax = Math.min(peer.frameBytesMax, Http2.FRAME_SIZE_DEFAULT);
        writer.settingsAck();
        return answered(OverheadBudget.SETTINGS) ? Event.ROOM : Event.FAILED;
    }

    /// Counts a frame that was answered.
    ///
    /// @return false when the session has failed now
    private boolean answered(int units) {
        if (budget.spend(units)) {
            fail(Http2Error.TOO_MUCH_OVERHEAD);
            return false;
        }
        if (writer.out.size() > limits.pendingBytesMax()) {
            fail(Http2Error.OUTPUT_NOT_TAKEN);
            return false;
        }
        return true;
    }

    private boolean moveWindows(int by) {
        if (by != 0) {
            for (Http2Stream each : streams.all()) {
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
            return budget.spend(OverheadBudget.SMALL)
                    ? fail(Http2Error.TOO_MUCH_OVERHEAD)
                    : Event.PONG;
        }
        writer.ping(Http2.FLAG_ACK, bytes, from);
        return answered(OverheadBudget.PING) ? Event.NONE : Event.FAILED;
    }

    private Event goAwayByPeer(int id, int length) {
        if (id != 0) {
            return fail(Http2Error.NOT_ON_STREAM);
        }
        if (length < 8) {
            return fail(Http2Error.BAD_LENGTH);
        }
        return budget.spend(OverheadBudget.SETTINGS)
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
            if (increment > Http2.WINDOW_MAX - Math.max(0, sendWindow)) {
                return fail(Http2Error.WINDOW_OVERFLOW);
            }
            sendWindow += increment;
            return overhead(OverheadBudget.SMALL) == Event.NONE ? Event.ROOM : Event.FAILED;
        }
        if (isIdle(id)) {
            return fail(Http2Error.IDLE_STREAM);
        }
        Http2Stream known = streams.get(id);
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

    // Sending

    /// Sends an interim or final head of a response.
    ///
    /// @param length what `content-length` is to say, or negative for nothing
    /// @param date what `date` is to say unless the fields have one, or null
    /// @param ends whether nothing follows
    /// @throws IllegalArgumentException when a field cannot be sent; nothing has been sent then
    public void respond(
            Http2Stream to,
            int status,
            FieldList fields,
            long length,
            @Nullable String date,
            boolean ends) {
        FrameWriter.check(fields);
        if (to.isOutputEnded()) {
            return;
        }
        writer.response(to.id, status, fields, length, date, ends);
        if (ends) {
            endOutput(to);
        }
    }

    /// Sends content as far as the windows allow, at most one frame. Where they allow next to
    /// nothing it waits for more, so that a client that gives room for each frame by itself does
    /// not get ever smaller ones; [#hurry] ends that wait.
    ///
    /// @param ends whether nothing follows these octets
    /// @return octets sent; less than `length` when there is no room for more now
    public int send(Http2Stream to, byte[] source, int offset, int length, boolean ends) {
        if (to.isOutputEnded()) {
            return length;
        }
        int room = Math.min(Math.min(sendWindow, to.sendWindow), writer.frameBytesMax);
        int count = Math.min(length, Math.max(0, room));
        if (count < length && (count == 0 || (!hurried && count < leastRoom()))) {
            return 0;
        }
        boolean last = ends && count == length;
        writer.data(to.id, source, offset, count, last);
        sendWindow -= count;
        to.sendWindow -= count;
        budget.moved(count);
        if (last) {
            endOutput(to);
        }
        return count;
    }

    /// Room below which it is better to wait for more than to send a part.
    private int leastRoom() {
        return Math.clamp(peer.initialWindow / 4, 1, LEAST_ROOM_BYTES);
    }

    /// Whether content can be sent, as far as the window of the connection is concerned.
    public boolean hasRoom() {
        return hurried ? sendWindow > 0 : sendWindow >= leastRoom();
    }

    /// Has [#send] use every octet of room, or not.
    public void hurry(boolean now) {
        hurried = now;
    }

    /// Sends trailers, which end the message.
    ///
    /// @throws IllegalArgumentException when a field cannot be sent; nothing has been sent then
    public void sendTrailers(Http2Stream to, FieldList fields) {
        FrameWriter.check(fields);
        if (to.isOutputEnded()) {
            return;
        }
        int start = writer.beginBlock();
        writer.fields(fields);
        writer.endBlock(start, to.id, true);
        endOutput(to);
    }

    private void endOutput(Http2Stream to) {
        to.outputEnded();
        closedIfSo(to);
    }

    /// Ends a stream before its time, by decision of this side.
    public void reset(Http2Stream which, int code) {
        if (which.state != Http2Stream.State.CLOSED) {
            resetNow(which, code);
        }
    }

    private void resetNow(Http2Stream which, int code) {
        writer.reset(which.id, code);
        remember(which.id);
        which.state = Http2Stream.State.CLOSED;
        which.isReset = true;
        forget(which);
    }

    private void remember(int id) {
        resets[resetCount++ % RESETS_REMEMBERED] = id;
    }

    private boolean wasReset(int id) {
        for (int known : resets) {
            if (known == id) {
                return true;
            }
        }
        return false;
    }

    /// Says that no further streams are taken. `known` are processed still; with [Http2#WINDOW_MAX]
    /// the peer learns it before its next streams are refused.
    public void goAway(int known, int code) {
        if (failure == null) {
            writer.goAway(known, code);
            goingAway = known != Http2.WINDOW_MAX;
        }
    }

    /// The number of the last stream of the peer.
    public int lastPeerId() {
        return lastPeerId;
    }

    /// Sends a PING, whose answer is [Event#PONG].
    public void ping() {
        writer.ping(0, new byte[8], 0);
    }

    /// Time has passed, which forgives overhead.
    public void seconds(int count) {
        budget.seconds(count);
    }

    /// Gives back what the buffers hold, as long as the connection idles.
    public void idle() {
        writer.out.trim(0);
        block.trim();
    }

    // The client's side

    /// Begins a stream with a request. The pseudo-header fields come first, under their names.
    ///
    /// @param head `:method`, `:scheme`, `:authority`, `:path`, `:protocol` as far as they apply,
    ///   then the fields
    /// @param length what `content-length` is to say, or negative for nothing
    /// @return the stream, or null when the peer allows no more at a time
    public @Nullable Http2Stream request(FieldList head, long length, boolean ends) {
        if (server || nextId < 0) {
            throw new IllegalStateException("no stream can be begun");
        }
        if (slots >= peer.streamsMax || failure != null) {
            return null;
        }
        Http2Stream made = new Http2Stream(nextId, peer.initialWindow, limits.streamWindowBytes());
        made.bodyless = "HEAD".equals(head.get(":method"));
        int start = writer.beginBlock();
        writer.fields(head);
        if (length >= 0) {
            writer.field("content-length", Long.toString(length));
        }
        writer.endBlock(start, nextId, ends);
        nextId += 2;
        streams.add(made);
        slots++;
        if (ends) {
            made.outputEnded();
        }
        return made;
    }
}
