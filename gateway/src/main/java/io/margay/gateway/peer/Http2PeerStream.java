package io.margay.gateway.peer;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.protocol.Http2RequestHead;
import io.margay.gateway.protocol.PeerRequest;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http2.Http2;
import io.margay.protocol.http2.Http2Session;
import io.margay.protocol.http2.Http2Stream;
import io.margay.transport.Connection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// One request on an HTTP/2 connection to a peer. Confined to the connection's loop.
///
/// A WebSocket is asked for by extended CONNECT (RFC 8441), once the peer's SETTINGS have come and
/// allow it; its acceptance is passed on as HTTP/1.1 says it.
///
/// What the peer sends while the client does not take it is held here, at most as much as the
/// stream's window; the connection is read all the same, for the others on it.
final class Http2PeerStream implements PeerExchange {
    /// What is asked for.
    private enum Kind {
        REQUEST,
        /// A WebSocket, which the peer has not accepted yet.
        CONNECT,
        /// A WebSocket that the peer has accepted.
        TUNNEL
    }

    /// How far the request has been put.
    private enum Request {
        /// Its head waits for the peer's SETTINGS.
        UNSETTLED,
        /// Its content may go on.
        OPEN,
        /// The same, but the peer takes none now.
        BLOCKED,
        ENDED,
        /// The peer has not looked at it, and never will.
        REFUSED
    }

    /// How far the response has come.
    private enum Response {
        AWAITED,
        INTERIM,
        /// The head has come and is to be passed on, perhaps with content that follows at once.
        HEAD,
        PASSED_ON
    }

    /// Whether the connection carries the stream.
    private enum Life {
        CARRIED,
        /// All of the response has come; the rest of it waits until the client takes it.
        COMPLETE,
        OVER
    }

    private static final byte[] NOTHING = new byte[0];
    private static final int FIRST_HELD_BYTES = 4_096;
    private static final FieldList NO_TRAILERS = new FieldList();

    private final Http2Channel channel;
    private final PeerLoop loop;
    private final Http2Session session;
    private final Http2PeerOutput output;
    private final boolean reused;
    private @Nullable Http2Stream stream;
    private @Nullable ResponseListener listener;
    private Duration reply = Duration.ZERO;

    /// A WebSocket that is asked for when the peer's SETTINGS have come.
    private @Nullable PeerRequest asksLater;

    /// What is said to the client's key when the peer accepts a WebSocket.
    private String accept = "";

    private Kind kind = Kind.REQUEST;
    private Request request = Request.UNSETTLED;
    private Response response = Response.AWAITED;
    private Life life = Life.CARRIED;
    private boolean paused;
    private int interims;

    /// Where in all that the connection sends the request begins.
    private long beginsAt;

    /// What the client has not taken.
    private final HeldBytes held;

    /// What follows it, when the response is complete.
    private Fields trailersDue = Fields.EMPTY;

    private long deadlineNanos = Connection.NEVER;

    Http2PeerStream(Http2Channel channel, boolean reused) {
        this.channel = channel;
        this.reused = reused;
        loop = channel.loop();
        session = channel.session();
        output = channel.output();
        held = new HeldBytes(loop.memory());
    }

    // The request

    @Override
    public void begin(PeerRequest asked, ResponseListener told) {
        FieldList head = head(asked);
        listener = told;
        reply = asked.reply();
        if (!asked.upgrade()) {
            ask(head, Http2RequestHead.length(asked), asked.contentLength() == RequestHead.NO_BODY);
        } else if (session.isSettled()) {
            connect(head);
        } else {
            asksLater = asked;
        }
        if (stream != null || asksLater != null) {
            channel.begun(this);
        }
    }

    private void ask(FieldList head, long length, boolean ends) {
        beginsAt = output.put();
        Http2Stream made = session.request(head, length, ends);
        if (made == null) {
            refused(Outcome.BUSY, "the member allows no more requests at a time");
            return;
        }
        request = ends ? Request.ENDED : Request.OPEN;
        made.owner(this);
        stream = made;
    }

    private void connect(FieldList head) {
        if (session.mayConnectProtocols()) {
            ask(head, -1, false);
        } else {
            refused(Outcome.UNSUPPORTED, "the member does not take extended CONNECT");
        }
    }

    private void refused(Outcome outcome, String why) {
        request = Request.REFUSED;
        loop.dialer().execute(() -> fail(outcome, why));
    }

    /// The peer has said what it takes.
    void settingsCame() {
        PeerRequest asked = asksLater;
        asksLater = null;
        if (asked == null || listener == null) {
            return;
        }
        try {
            connect(head(asked));
            arm();
        } catch (IllegalArgumentException e) {
            refused(Outcome.UNSUPPORTED, "the request cannot be sent as extended CONNECT");
        }
    }

    private FieldList head(PeerRequest asked) {
        if (asked.upgrade()) {
            kind = Kind.CONNECT;
            accept = Http2RequestHead.accept(asked);
        }
        return Http2RequestHead.of(asked, loop.limits());
    }

    @Override
    public int contentRoom() {
        Http2Stream on = stream;
        if (on == null || !takesContent()) {
            return 0;
        }
        int room = Math.min(session.room(on), output.room());
        if (room <= 0 && request == Request.OPEN) {
            request = Request.BLOCKED;
            arm();
        }
        return Math.max(0, room);
    }

    private boolean takesContent() {
        return life == Life.CARRIED && (request == Request.OPEN || request == Request.BLOCKED);
    }

    @Override
    public void content(byte[] source, int offset, int length, boolean last) {
        Http2Stream on = stream;
        if (on == null || life != Life.CARRIED) {
            return;
        }
        if (last) {
            request = Request.ENDED;
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
        if (on == null || !takesContent()) {
            return;
        }
        request = Request.ENDED;
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
        ResponseListener told = listener;
        if (request == Request.BLOCKED && told != null && contentRoom() > 0) {
            request = Request.OPEN;
            arm();
            told.room();
        }
    }

    @Override
    public boolean sent() {
        return stream != null && request != Request.REFUSED && output.written() > beginsAt;
    }

    @Override
    public boolean answered() {
        return response != Response.AWAITED;
    }

    @Override
    public boolean stale() {
        return reused || !channel.liveness().isStaying();
    }

    @Override
    public boolean unproven() {
        return channel.liveness().isUnproven();
    }

    @Override
    public void shutdownOutput() {
        contentEnd(NO_TRAILERS);
        flush();
    }

    // The response

    /// A head has come.
    ///
    /// @param ends whether nothing follows
    void head(ResponseHead head, boolean ends) {
        ResponseListener told = listener;
        if (response == Response.AWAITED) {
            response = Response.INTERIM;
        }
        if (told == null) {
            return;
        }
        if (!head.isInterim()) {
            response = Response.HEAD;
            if (kind == Kind.CONNECT && head.status() / 100 == 2) {
                kind = Kind.TUNNEL;
            }
            boolean switched = kind == Kind.TUNNEL;
            told.head(switched ? Http2RequestHead.asSwitch(head, accept) : head);
        } else if (++interims > loop.limits().interimsMax()) {
            breakOff(Outcome.BROKEN, "there are too many interim responses");
            return;
        } else {
            told.interim(head);
        }
        if (ends) {
            end(NOTHING, 0, 0, Fields.EMPTY);
        }
    }

    /// All that was received has been looked at: a head that nothing followed is passed on now.
    void settle() {
        ResponseListener told = listener;
        if (response == Response.HEAD && told != null && !paused) {
            response = Response.PASSED_ON;
            told.content(NOTHING, 0, 0);
        }
        arm();
    }

    /// Content has come.
    void received(byte[] bytes, int from, int to) {
        ResponseListener told = listener;
        Http2Stream of = stream;
        if (told == null || of == null || from == to) {
            return;
        }
        if (paused) {
            if (!held.add(bytes, from, to, FIRST_HELD_BYTES)) {
                session.used(of, to - from);
                breakOff(Outcome.NO_MEMORY, "no memory for what the client does not take");
            }
            return;
        }
        response = Response.PASSED_ON;
        session.used(of, to - from);
        told.content(bytes, from, to);
    }

    /// The response is complete. Its place is free at once, also where the client has not taken all
    /// of it: so what is held takes no room of the others.
    void end(byte[] bytes, int from, int to, Fields after) {
        ResponseListener told = listener;
        Http2Stream of = stream;
        if (told == null || of == null) {
            return;
        }
        boolean kept = !paused || held.add(bytes, from, to, FIRST_HELD_BYTES);
        session.used(of, held.length() + (paused && kept ? 0 : to - from));
        if (kind != Kind.REQUEST) {
            contentEnd(NO_TRAILERS);
        } else if (takesContent()) {
            session.reset(of, Http2.CANCEL);
        }
        leave(kept && paused ? Life.COMPLETE : Life.OVER);
        channel.answered();
        if (!kept) {
            listener = null;
            held.drop();
            told.failed(Outcome.NO_MEMORY, "no memory for what the client does not take");
        } else if (paused) {
            trailersDue = after;
        } else {
            listener = null;
            told.end(bytes, from, to, after);
        }
    }

    private void leave(Life next) {
        life = next;
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
        ResponseListener told = listener;
        Http2Stream of = stream;
        if (told == null || of == null) {
            return;
        }
        int length = held.length();
        byte[] bytes = held.take();
        if (life == Life.COMPLETE) {
            life = Life.OVER;
            listener = null;
            told.end(bytes, 0, length, trailersDue);
        } else if (length > 0) {
            response = Response.PASSED_ON;
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
        listener = null;
        if (life == Life.CARRIED && stream != null) {
            channel.cancelled();
        }
        dropStream();
    }

    /// Ends the request by decision of this side.
    private void breakOff(Outcome outcome, String why) {
        ResponseListener told = listener;
        listener = null;
        dropStream();
        if (told != null) {
            told.failed(outcome, why);
        }
    }

    private void dropStream() {
        Http2Stream of = stream;
        int unused = held.length();
        held.drop();
        if (life != Life.CARRIED) {
            life = Life.OVER;
            return;
        }
        if (of != null) {
            session.reset(of, Http2.CANCEL);
            session.used(of, unused);
        }
        leave(Life.OVER);
        channel.wake();
    }

    /// There will be no response, or no more of it.
    void fail(Outcome outcome, String why) {
        ResponseListener told = listener;
        listener = null;
        Http2Stream of = stream;
        if (life == Life.CARRIED) {
            if (of != null) {
                session.used(of, held.length());
            }
            held.drop();
            leave(Life.OVER);
        }
        if (told != null) {
            told.failed(outcome, why);
        }
    }

    /// The peer has ended the stream by RST_STREAM.
    void resetByPeer(int code) {
        if (code == Http2.REFUSED_STREAM && response == Response.AWAITED) {
            request = Request.REFUSED;
            fail(Outcome.BUSY, "the member refuses the request");
        } else {
            fail(Outcome.BROKEN, "the member has reset the stream with code " + code);
        }
    }

    /// Whether the peer, which goes away, has not looked at this request.
    ///
    /// @param lastKnownId of GOAWAY
    boolean isBeyond(int lastKnownId) {
        Http2Stream of = stream;
        boolean unanswered = response == Response.AWAITED;
        return asksLater != null || (of != null && of.id() > lastKnownId && unanswered);
    }

    /// The peer has not looked at it and never will.
    void passedBy() {
        request = Request.REFUSED;
        Http2Stream of = stream;
        if (of != null) {
            session.abandon(of);
        }
        fail(Outcome.BROKEN, "the member is going away");
    }

    // Deadlines

    /// When what is waited for is late.
    long deadlineNanos() {
        return deadlineNanos;
    }

    private void arm() {
        if (life != Life.CARRIED) {
            return;
        }
        PeerConfig.Timeouts timeouts = channel.config().timeouts();
        boolean headCame = response.compareTo(Response.HEAD) >= 0;
        Duration patience;
        if (kind == Kind.TUNNEL) {
            patience = loop.limits().upgradedIdle();
        } else if (request == Request.BLOCKED) {
            patience = timeouts.io();
        } else if (paused || (request == Request.OPEN && kind == Kind.REQUEST)) {
            patience = Duration.ZERO; // the client is waited for
        } else {
            patience = headCame ? timeouts.io() : reply;
        }
        deadlineNanos = Deadlines.after(loop.nanoTime(), patience);
        channel.deadlineBy(deadlineNanos);
    }

    void expire() {
        if (request == Request.BLOCKED && kind != Kind.TUNNEL) {
            breakOff(Outcome.BROKEN, "the member does not take the request");
        } else if (response.compareTo(Response.HEAD) >= 0) {
            breakOff(Outcome.BROKEN, "the response stopped");
        } else {
            breakOff(Outcome.REPLY_TIMEOUT, "the response did not begin in time");
        }
    }

    /// The connection is dead, as far as one can tell.
    void lost(String why) {
        boolean headCame = response.compareTo(Response.HEAD) >= 0;
        fail(headCame ? Outcome.BROKEN : Outcome.REPLY_TIMEOUT, why);
    }
}
