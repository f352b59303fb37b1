package io.margay.gateway.peer;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.config.PeerConfig;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http2.Http2;
import io.margay.protocol.http2.Http2Session;
import io.margay.protocol.http2.Http2Stream;
import io.margay.transport.Connection;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One request on an HTTP/2 connection to a peer. Confined to the connection's loop.
///
/// A WebSocket is asked for by extended CONNECT (RFC 8441), once the peer's SETTINGS have come and
/// allow it; its acceptance stands here as HTTP/1.1 says it, so that above there is one way.
///
/// What the peer sends while the client does not take it is held here, at most as much as the
/// stream's window; the connection is read all the same, for the others on it.
final class Http2PeerStream implements PeerExchange {
    private static final byte[] NOTHING = new byte[0];
    private static final FieldList NO_TRAILERS = new FieldList();
    private static final int FIRST_HELD_BYTES = 4_096;
    private static final String KEY = "Sec-WebSocket-Key";
    private static final String ACCEPT = "Sec-WebSocket-Accept";

    private final Http2Channel channel;
    private final Http2Session session;
    private final boolean reused;
    private @Nullable Http2Stream stream;
    private @Nullable PeerAnswer answer;
    private Duration reply = Duration.ZERO;

    /// A WebSocket that is asked for when the peer's SETTINGS have come.
    private @Nullable PeerRequest asksLater;

    /// What is said to the client's key when the peer accepts a WebSocket; null for other requests.
    private @Nullable String accept;

    private boolean switched;
    private boolean requestEnded;
    private boolean answered;
    private boolean headCame;
    private boolean passedOn;
    private boolean paused;
    private boolean starved;
    private boolean over;
    private boolean untouched;
    private int interims;

    /// Where in all that the connection sends the request begins.
    private long beginsAt;

    private byte[] held = NOTHING;
    private int heldLength;
    private @Nullable Fields endDue;

    /// When what is waited for is late.
    long deadlineNanos = Connection.NEVER;

    Http2PeerStream(Http2Channel channel, boolean reused) {
        this.channel = channel;
        this.reused = reused;
        session = channel.session();
    }

    // The request

    @Override
    public void begin(PeerRequest request, PeerAnswer told) {
        FieldList head = head(request);
        answer = told;
        reply = request.reply();
        if (!request.upgrade()) {
            ask(head, length(request), request.contentLength() == RequestHead.NO_BODY);
        } else if (channel.isSettled()) {
            connect(head);
        } else {
            asksLater = request;
        }
        if (stream != null || asksLater != null) {
            channel.begun(this);
        }
    }

    private void ask(FieldList head, long length, boolean ends) {
        beginsAt = channel.put();
        Http2Stream made = session.request(head, length, ends);
        requestEnded = ends;
        if (made == null) {
            refused(Outcome.BUSY, "the peer allows no more requests at a time");
            return;
        }
        made.owner(this);
        stream = made;
    }

    private void connect(FieldList head) {
        if (session.mayConnectProtocols()) {
            ask(head, -1, false);
        } else {
            refused(Outcome.UNSUPPORTED, "the peer does not take extended CONNECT");
        }
    }

    private void refused(Outcome outcome, String why) {
        untouched = true;
        channel.later(() -> fail(outcome, why));
    }

    /// The peer has said what it takes.
    void settingsCame() {
        PeerRequest request = asksLater;
        asksLater = null;
        if (request == null || answer == null) {
            return;
        }
        try {
            connect(head(request));
            arm();
        } catch (IllegalArgumentException e) {
            refused(Outcome.UNSUPPORTED, "the request cannot be sent as extended CONNECT");
        }
    }

    private FieldList head(PeerRequest request) {
        FieldList fields = request.fields();
        String host = fields.get("Host");
        FieldList head =
                new FieldList()
                        .add(":method", request.upgrade() ? "CONNECT" : request.method())
                        .add(":scheme", request.peer().address().scheme().urlScheme());
        if (host != null) {
            head.add(":authority", host);
        }
        head.add(":path", request.target());
        if (request.upgrade()) {
            head.add(":protocol", "websocket");
            accept = WebSocketKey.accept(String.valueOf(fields.get(KEY)));
        }
        for (int i = 0; i < fields.size(); i++) {
            Fields received = fields.received(i);
            if (request.upgrade() && fields.nameIs(i, KEY)) {
                continue;
            }
            if (received == null) {
                head.add(fields.name(i), fields.value(i));
            } else {
                head.add(received, fields.receivedIndex(i));
            }
        }
        if (takesTrailers(request.exchange().request().fields())) {
            head.add("te", "trailers");
        }
        long bytes = 0;
        for (int i = 0; i < head.size(); i++) {
            bytes += head.nameLength(i) + head.valueLength(i);
        }
        if (bytes > channel.limits().requestHeadBytesMax()) {
            throw new LargeHeadException("the head is larger than a peer is sent");
        }
        return head;
    }

    /// Trailers are passed on, so that the client's word for them is, too (RFC 9110 §10.1.4).
    private static boolean takesTrailers(Fields fields) {
        for (int i = fields.indexOf("te", 0); i >= 0; i = fields.indexOf("te", i + 1)) {
            for (String each : fields.value(i).split(",")) {
                if (each.strip().equalsIgnoreCase("trailers")) {
                    return true;
                }
            }
        }
        return false;
    }

    /// As with HTTP/1.1: a method that defines content tells its length in every case.
    private static long length(PeerRequest request) {
        if (request.contentLength() != RequestHead.NO_BODY) {
            return request.contentLength();
        }
        boolean told =
                switch (request.method()) {
                    case "POST", "PUT", "PATCH" -> true;
                    default -> request.exchange().request().fields().contains("content-length");
                };
        return told ? 0 : -1;
    }

    @Override
    public int contentRoom() {
        Http2Stream on = stream;
        if (over || requestEnded || on == null) {
            return 0;
        }
        int room = Math.min(session.room(on), channel.outputRoom());
        if (room <= 0 && !starved) {
            starved = true;
            arm();
        }
        return Math.max(0, room);
    }

    @Override
    public void content(byte[] source, int offset, int length, boolean last) {
        Http2Stream on = stream;
        if (over || on == null) {
            return;
        }
        if (last) {
            requestEnded = true;
            starved = false;
        }
        int at = offset;
        int end = offset + length;
        while (at < end) {
            int count = session.send(on, source, at, end - at, last);
            if (count == 0) {
                throw new IllegalStateException("more content than there was room for");
            }
            at += count;
        }
    }

    @Override
    public void contentEnd(FieldList trailers) {
        Http2Stream on = stream;
        if (over || requestEnded || on == null) {
            return;
        }
        requestEnded = true;
        starved = false;
        if (trailers.size() > 0) {
            session.sendTrailers(on, trailers);
        } else {
            session.send(on, NOTHING, 0, 0, true);
        }
    }

    @Override
    public void flush() {
        arm();
        channel.wake();
    }

    /// There may be room for content again.
    void roomCame() {
        PeerAnswer told = answer;
        if (starved && told != null && contentRoom() > 0) {
            starved = false;
            arm();
            told.room();
        }
    }

    @Override
    public boolean sent() {
        return stream != null && !untouched && channel.written() > beginsAt;
    }

    @Override
    public boolean answered() {
        return answered;
    }

    @Override
    public boolean reused() {
        return reused;
    }

    @Override
    public void shutdownOutput() {
        contentEnd(NO_TRAILERS);
        flush();
    }

    // The answer

    /// A head has come.
    ///
    /// @param ends whether nothing follows
    void head(ResponseHead head, boolean ends) {
        answered = true;
        PeerAnswer told = answer;
        if (told == null) {
            return;
        }
        if (!head.isInterim()) {
            headCame = true;
            switched = accept != null && head.status() / 100 == 2;
            told.head(switched ? asSwitch(head) : head);
        } else if (++interims > channel.limits().interimsMax()) {
            breakOff(Outcome.BROKEN, "there are too many interim answers");
            return;
        } else {
            told.interim(head);
        }
        if (ends) {
            end(NOTHING, 0, 0, Fields.EMPTY);
        }
    }

    /// The acceptance of a WebSocket as HTTP/1.1 says it.
    private ResponseHead asSwitch(ResponseHead head) {
        Fields received = head.fields();
        Fields.Builder fields = new Fields.Builder();
        for (int i = 0; i < received.size(); i++) {
            String name = received.name(i);
            if (!name.equalsIgnoreCase("content-length") && !name.equalsIgnoreCase(ACCEPT)) {
                fields.add(name, received.value(i));
            }
        }
        fields.add("Upgrade", "websocket").add(ACCEPT, String.valueOf(accept));
        return new ResponseHead(head.version(), 101, "", fields.build(), 0, true);
    }

    /// All that was received has been looked at: a head that nothing followed is passed on now.
    void settle() {
        PeerAnswer told = answer;
        if (headCame && !passedOn && told != null && !paused) {
            passedOn = true;
            told.content(NOTHING, 0, 0);
        }
        arm();
    }

    /// Content has come.
    void received(byte[] bytes, int from, int to) {
        PeerAnswer told = answer;
        Http2Stream of = stream;
        if (told == null || of == null || from == to) {
            return;
        }
        if (paused) {
            hold(bytes, from, to);
            return;
        }
        passedOn = true;
        session.used(of, to - from);
        told.content(bytes, from, to);
    }

    private void hold(byte[] bytes, int from, int to) {
        int length = heldLength + to - from;
        if (length > held.length) {
            held =
                    Arrays.copyOf(
                            held, Math.max(length, Math.max(FIRST_HELD_BYTES, held.length * 2)));
        }
        System.arraycopy(bytes, from, held, heldLength, to - from);
        heldLength = length;
    }

    /// The answer is complete. Its place is free at once, also where the client has not taken all
    /// of it: so what is held takes no room of the others.
    void end(byte[] bytes, int from, int to, Fields trailers) {
        PeerAnswer told = answer;
        Http2Stream of = stream;
        if (told == null || of == null) {
            return;
        }
        session.used(of, heldLength + to - from);
        if (accept != null) {
            contentEnd(NO_TRAILERS);
        } else if (!requestEnded) {
            session.reset(of, Http2.CANCEL);
        }
        leave();
        channel.answered();
        if (paused) {
            hold(bytes, from, to);
            endDue = trailers;
        } else {
            answer = null;
            told.end(bytes, from, to, trailers);
        }
    }

    private void leave() {
        over = true;
        deadlineNanos = Connection.NEVER;
        Http2Stream of = stream;
        if (of != null) {
            session.release(of);
        }
        channel.ended(this);
    }

    @Override
    public void pause() {
        paused = true;
        arm();
    }

    @Override
    public void resume() {
        if (!paused) {
            return;
        }
        paused = false;
        arm();
        PeerAnswer told = answer;
        Http2Stream of = stream;
        if (told == null || of == null) {
            return;
        }
        byte[] bytes = held;
        int length = heldLength;
        Fields trailers = endDue;
        held = NOTHING;
        heldLength = 0;
        if (trailers != null) {
            answer = null;
            told.end(bytes, 0, length, trailers);
            return;
        }
        if (length > 0) {
            passedOn = true;
            if (session.used(of, length)) {
                channel.wake();
            }
            told.content(bytes, 0, length);
        } else {
            settle();
        }
    }

    // The end

    @Override
    public void cancel() {
        answer = null;
        if (!over && stream != null) {
            channel.cancelled();
        }
        dropStream();
    }

    /// Ends the request by decision of this side.
    private void breakOff(Outcome outcome, String why) {
        PeerAnswer told = answer;
        answer = null;
        dropStream();
        if (told != null) {
            told.failed(outcome, why);
        }
    }

    private void dropStream() {
        Http2Stream of = stream;
        int unused = over ? 0 : heldLength;
        held = NOTHING;
        heldLength = 0;
        endDue = null;
        if (over) {
            return;
        }
        if (of != null) {
            session.reset(of, Http2.CANCEL);
            session.used(of, unused);
        }
        leave();
        channel.wake();
    }

    /// There will be no answer, or no more of it.
    void fail(Outcome outcome, String why) {
        PeerAnswer told = answer;
        answer = null;
        Http2Stream of = stream;
        if (!over) {
            if (of != null) {
                session.used(of, heldLength);
            }
            held = NOTHING;
            heldLength = 0;
            leave();
        }
        if (told != null) {
            told.failed(outcome, why);
        }
    }

    /// The peer has ended the stream by RST_STREAM.
    void resetByPeer(int code) {
        if (code == Http2.REFUSED_STREAM && !answered) {
            untouched = true;
            fail(Outcome.BUSY, "the peer refuses the request");
        } else {
            fail(Outcome.BROKEN, "the peer has reset the stream with code " + code);
        }
    }

    /// The peer goes away: whether it has looked at this request.
    ///
    /// @param lastKnownId of GOAWAY
    boolean isBeyond(int lastKnownId) {
        Http2Stream of = stream;
        return asksLater != null || (of != null && of.id() > lastKnownId && !answered);
    }

    /// The peer has not looked at it and never will.
    void passedBy() {
        untouched = true;
        Http2Stream of = stream;
        if (of != null) {
            session.abandon(of);
        }
        fail(Outcome.BROKEN, "the peer is going away");
    }

    // Deadlines

    private void arm() {
        if (over) {
            return;
        }
        PeerConfig.Timeouts timeouts = channel.config().timeouts();
        Duration patience;
        if (switched) {
            patience = channel.limits().upgradedIdle();
        } else if (starved) {
            patience = timeouts.io();
        } else if (paused || (!requestEnded && accept == null)) {
            patience = Duration.ZERO; // it is the client's turn
        } else {
            patience = headCame ? timeouts.io() : reply;
        }
        deadlineNanos =
                patience.isZero() ? Connection.NEVER : System.nanoTime() + patience.toNanos();
        channel.deadlineBy(deadlineNanos);
    }

    void expire() {
        if (starved && !switched) {
            breakOff(Outcome.BROKEN, "the peer does not take the request");
        } else if (headCame) {
            breakOff(Outcome.BROKEN, "the answer stopped");
        } else {
            breakOff(Outcome.REPLY_TIMEOUT, "the answer did not begin in time");
        }
    }

    /// The connection is dead, as far as one can tell.
    void lost(String why) {
        fail(headCame ? Outcome.BROKEN : Outcome.REPLY_TIMEOUT, why);
    }
}
