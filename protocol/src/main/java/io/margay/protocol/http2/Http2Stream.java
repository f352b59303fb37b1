package io.margay.protocol.http2;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.multiplex.MessageStream;
import org.jspecify.annotations.Nullable;

/// One stream of a session: its state and its windows (RFC 9113 §5). Guarded as its session is.
///
/// ```
///                    END_STREAM received          END_STREAM sent
/// OPEN ──────────────► HALF_CLOSED_REMOTE ─────────────┐
///   │                                                  ├──► CLOSED
///   └─ END_STREAM sent ─► HALF_CLOSED_LOCAL ─ received ┘
/// any ── RST_STREAM, sent or received ─────────────────────► CLOSED
/// ```
public final class Http2Stream extends MessageStream {
    enum State {
        OPEN,
        HALF_CLOSED_REMOTE,
        HALF_CLOSED_LOCAL,
        CLOSED
    }

    /// No `Content-Length` was declared.
    static final long UNKNOWN = -1;

    private final Http2Session session;
    final int id;
    State state = State.OPEN;

    /// What may be sent; below zero after the peer has made its setting smaller.
    int sendWindow;

    /// What the peer may send still.
    int receiveWindow;

    /// What it may send when all that it has sent has been used, and how much wider that becomes
    /// with the next update.
    int window;

    int growth;

    /// Content that has been used, for which the peer has not been given new room.
    int credit;

    long declared = UNKNOWN;
    long received;
    boolean bodyless;

    /// Whether it was begun by CONNECT, so that what follows a 2xx has no length of its own.
    boolean tunnel;

    boolean headReceived;
    boolean released;
    boolean isReset;

    /// Whether the peer has reset it while work on it goes on.
    boolean lingers;

    @Nullable Http2Stream next;

    Http2Stream(Http2Session session, int id, int sendWindow, int receiveWindow) {
        this.session = session;
        this.id = id;
        this.sendWindow = sendWindow;
        this.receiveWindow = receiveWindow;
        this.window = receiveWindow;
    }

    /// The stream's number.
    public int id() {
        return id;
    }

    @Override
    public long number() {
        return id;
    }

    @Override
    public boolean isInputEnded() {
        return state == State.HALF_CLOSED_REMOTE || state == State.CLOSED;
    }

    /// Whether nothing more can be sent.
    public boolean isOutputEnded() {
        return state == State.HALF_CLOSED_LOCAL || state == State.CLOSED;
    }

    @Override
    public void respond(
            int status, FieldList fields, long length, @Nullable String date, boolean ends) {
        session.respond(this, status, fields, length, date, ends);
    }

    @Override
    public int send(byte[] source, int offset, int length, boolean ends) {
        return session.send(this, source, offset, length, ends);
    }

    @Override
    public boolean hasConnectionRoom() {
        return session.hasRoom();
    }

    @Override
    public void sendTrailers(FieldList fields) {
        session.sendTrailers(this, fields);
    }

    @Override
    public boolean used(int count) {
        return session.used(this, count);
    }

    @Override
    public void reset(End why) {
        session.reset(
                this,
                switch (why) {
                    case DONE -> Http2.NO_ERROR;
                    case FAILED -> Http2.INTERNAL_ERROR;
                    case CANCELLED -> Http2.CANCEL;
                    case TOO_MUCH -> Http2.ENHANCE_YOUR_CALM;
                });
    }

    @Override
    public void release() {
        session.release(this);
    }

    @Override
    public int output() {
        return session.output().size();
    }

    void inputEnded() {
        state = state == State.OPEN ? State.HALF_CLOSED_REMOTE : State.CLOSED;
    }

    void outputEnded() {
        state = state == State.OPEN ? State.HALF_CLOSED_LOCAL : State.CLOSED;
    }
}
