package io.margay.protocol.http2;

import io.margay.protocol.fields.FieldRules;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Priority;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
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
        /// The peer wants the response on the stream with another urgency: [#priority].
        PRIORITY,
        /// A PING of ours was answered.
        PONG,
        /// The peer will begin no more streams, or take no more of ours.
        GOAWAY,
        /// The peer broke the protocol: GOAWAY is in the output, and nothing more is read.
        FAILED
    }

    private static final int LEAST_ROOM_BYTES = 1_024;

    private final SessionState state;
    private final FrameReceiver receiver;
    private boolean hurried;

    /// @param secure whether the connection is encrypted
    /// @param bodyBytesMax content that a message may have, or -1 for any
    public Http2Session(Role role, Http2Limits limits, boolean secure, long bodyBytesMax) {
        this(role, limits, secure, bodyBytesMax, RequestTarget.Characters.STRICT);
    }

    /// The same with what request targets may have.
    public Http2Session(
            Role role,
            Http2Limits limits,
            boolean secure,
            long bodyBytesMax,
            RequestTarget.Characters characters) {
        state = new SessionState(this, role == Role.SERVER, limits);
        receiver = new FrameReceiver(state, secure, bodyBytesMax, characters);
        begin(limits);
    }

    private void begin(Http2Limits limits) {
        if (state.server) {
            state.writer.settings(
                    Http2.SETTINGS_MAX_CONCURRENT_STREAMS,
                    limits.streamsMax(),
                    Http2.SETTINGS_INITIAL_WINDOW_SIZE,
                    limits.streamWindow(true),
                    Http2.SETTINGS_MAX_HEADER_LIST_SIZE,
                    limits.headBytesMax(),
                    Http2.SETTINGS_ENABLE_CONNECT_PROTOCOL,
                    1,
                    Http2.SETTINGS_NO_RFC7540_PRIORITIES,
                    1);
        } else {
            Http2.putPreface(state.writer.out);
            state.writer.settings(
                    Http2.SETTINGS_ENABLE_PUSH,
                    0,
                    Http2.SETTINGS_INITIAL_WINDOW_SIZE,
                    limits.streamWindow(false),
                    Http2.SETTINGS_MAX_HEADER_LIST_SIZE,
                    limits.headBytesMax());
        }
        int more = limits.connectionWindow(state.server) - Http2.WINDOW_DEFAULT;
        if (more > 0) {
            state.writer.windowUpdate(0, more);
        }
    }

    // What the caller asks for

    /// What is to be sent.
    public Http2Buffer output() {
        return state.writer.out;
    }

    /// Where the octets begin that the last [#receive] has not used.
    public int consumed() {
        return receiver.outcome.consumed;
    }

    /// The stream of the event.
    public @Nullable Http2Stream stream() {
        return receiver.outcome.stream;
    }

    /// The head of the event, on the server's side.
    public RequestHead requestHead() {
        return known(receiver.outcome.requestHead);
    }

    /// The head of the event, on the client's side.
    public ResponseHead responseHead() {
        return known(receiver.outcome.responseHead);
    }

    /// Why a request is refused, a stream was reset, or the session failed.
    public @Nullable ProtocolError refusal() {
        return receiver.outcome.refusal;
    }

    /// Where the content of the event begins in the octets that were given.
    public int dataFrom() {
        return receiver.outcome.dataFrom;
    }

    /// Where it ends.
    public int dataTo() {
        return receiver.outcome.dataTo;
    }

    /// The trailers of the event.
    public Fields trailers() {
        return receiver.outcome.trailers;
    }

    /// The priority of the event.
    public Priority priority() {
        return receiver.outcome.priority;
    }

    /// The error code of a GOAWAY, or of a [Event#RESET] by the peer.
    public int code() {
        return receiver.outcome.code;
    }

    /// Of a GOAWAY: streams of ours with a higher number were not looked at and never will be (RFC
    /// 9113 §6.8).
    public int lastKnownId() {
        return receiver.outcome.lastKnownId;
    }

    /// Whether the peer's SETTINGS have come.
    public boolean isSettled() {
        return state.settled;
    }

    /// Streams that the peer allows at a time.
    public int peerStreamsMax() {
        return state.peer.streamsMax;
    }

    /// Octets of content that [#send] takes now, in as many calls as it needs.
    public int room(Http2Stream on) {
        return on.isOutputEnded() ? 0 : Math.max(0, Math.min(state.sendWindow, on.sendWindow));
    }

    /// Whether a frame or a header block has begun and not ended.
    public boolean isWithinBlock() {
        return receiver.isWithinBlock();
    }

    /// What a head takes of which only a part has come.
    public int blockBytes() {
        return receiver.blockBytes();
    }

    /// Whether the peer may be sent extended CONNECT.
    public boolean mayConnectProtocols() {
        return state.peer.connectProtocol;
    }

    /// Streams that are open, or on which work goes on.
    public int slots() {
        return state.slots;
    }

    /// Streams that are open.
    public List<Http2Stream> streams() {
        return state.streams.all();
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
        return receiver.receive(bytes, from, to);
    }

    /// Content of a stream has been used: the peer may send as much again.
    ///
    /// @return whether it is to be told now, so that the output needs to be sent
    public boolean used(Http2Stream of, int count) {
        int before = state.writer.out.size();
        state.grow(of);
        state.creditBack(of, count);
        state.creditConnection(count);
        return state.writer.out.size() > before;
    }

    /// Work on the stream is over: when it is closed, the peer may begin another in its place.
    public void release(Http2Stream done) {
        state.release(done);
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
        if (to.isOutputEnded()) {
            FieldRules.check(fields);
            return;
        }
        state.writer.response(to.id, status, fields, length, date, ends);
        if (ends) {
            state.outputEnded(to);
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
        int room = Math.max(0, Math.min(state.sendWindow, to.sendWindow));
        int count = frameBytes(Math.min(length, room));
        if (count < length && (count == 0 || (!hurried && count < leastRoom()))) {
            return 0;
        }
        boolean last = ends && count == length;
        state.writer.data(to.id, source, offset, count, last);
        state.sendWindow -= count;
        to.sendWindow -= count;
        state.budget.moved(count);
        if (count > 0 && count == length) {
            state.budget.earn(OverheadBudget.ROOM);
        }
        if (last) {
            state.outputEnded(to);
        }
        return count;
    }

    /// What a frame has of so much content for which there is room: as much as fits into one TLS
    /// record with the frame's header, unless that makes one frame more.
    private int frameBytes(int length) {
        int most = state.writer.frameBytesMax;
        int fitting = Math.min(most, Http2.FRAME_SIZE_DEFAULT - Http2.FRAME_HEADER_BYTES);
        boolean more = (length - 1) / fitting > (length - 1) / most;
        return Math.min(length, more ? most : fitting);
    }

    /// Room below which it is better to wait for more than to send a part.
    private int leastRoom() {
        return Math.clamp(state.peer.initialWindow / 4, 1, LEAST_ROOM_BYTES);
    }

    /// Whether content can be sent, as far as the window of the connection is concerned.
    public boolean hasRoom() {
        return hurried ? state.sendWindow > 0 : state.sendWindow >= leastRoom();
    }

    /// Has [#send] use every octet of room, or not.
    public void hurry(boolean now) {
        hurried = now;
    }

    /// Sends trailers, which end the message.
    ///
    /// @throws IllegalArgumentException when a field cannot be sent; nothing has been sent then
    public void sendTrailers(Http2Stream to, FieldList fields) {
        FieldRules.check(fields);
        if (to.isOutputEnded()) {
            return;
        }
        int start = state.writer.beginBlock();
        state.writer.fields(fields);
        state.writer.endBlock(start, to.id, true);
        state.outputEnded(to);
    }

    /// Ends a stream before its time, by decision of this side.
    public void reset(Http2Stream which, int code) {
        if (which.state != Http2Stream.State.CLOSED) {
            state.reset(which, code);
        }
    }

    /// Gives up a stream that the peer has not looked at and never will.
    public void abandon(Http2Stream which) {
        if (which.state != Http2Stream.State.CLOSED) {
            state.abandon(which);
        }
    }

    /// Says that no further streams are taken. `known` are processed still; with [Http2#WINDOW_MAX]
    /// the peer learns it before its next streams are refused.
    public void goAway(int known, int code) {
        if (state.failure == null) {
            state.writer.goAway(known, code);
            state.goingAway = known != Http2.WINDOW_MAX;
        }
    }

    /// The number of the last stream of the peer.
    public int lastPeerId() {
        return state.lastPeerId;
    }

    /// Sends a PING, whose answer is [Event#PONG].
    public void ping() {
        state.writer.ping(0, new byte[8], 0);
    }

    /// Time has passed, which forgives overhead.
    public void seconds(int count) {
        state.budget.seconds(count);
    }

    /// Gives back what the buffers hold, as long as the connection idles.
    public void idle() {
        state.writer.trim();
        receiver.trim();
    }

    // The client's side

    /// Begins a stream with a request. The pseudo-header fields come first, under their names.
    ///
    /// @param head `:method`, `:scheme`, `:authority`, `:path`, `:protocol` as far as they apply,
    ///   then the fields
    /// @param length what `content-length` is to say, or negative for nothing
    /// @return the stream, or null when the peer allows no more at a time
    /// @throws IllegalArgumentException when a field cannot be sent; nothing has been sent then
    public @Nullable Http2Stream request(FieldList head, long length, boolean ends) {
        if (state.server || state.nextId < 0) {
            throw new IllegalStateException("no stream can be begun");
        }
        if (state.slots >= state.peer.streamsMax || state.failure != null) {
            return null;
        }
        FieldRules.checkRequest(head);
        Http2Stream made = state.open(state.nextId);
        String method = head.get(":method");
        made.bodyless = "HEAD".equals(method);
        made.tunnel = "CONNECT".equals(method);
        int start = state.writer.beginBlock();
        state.writer.fields(head);
        if (length >= 0) {
            state.writer.field("content-length", Long.toString(length));
        }
        state.writer.endBlock(start, state.nextId, ends);
        state.nextId += 2;
        if (ends) {
            made.outputEnded();
        }
        return made;
    }
}
