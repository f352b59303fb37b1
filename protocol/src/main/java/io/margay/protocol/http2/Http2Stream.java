package io.margay.protocol.http2;

import io.margay.protocol.http.Priority;
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
public final class Http2Stream {
    enum State {
        OPEN,
        HALF_CLOSED_REMOTE,
        HALF_CLOSED_LOCAL,
        CLOSED
    }

    /// No `Content-Length` was declared.
    static final long UNKNOWN = -1;

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

    /// What the peer has said of it; null for nothing.
    @Nullable Priority priority;

    boolean headReceived;
    boolean released;
    boolean isReset;

    /// Whether the peer has reset it while work on it goes on.
    boolean lingers;

    @Nullable Http2Stream next;
    private @Nullable Object owner;

    Http2Stream(int id, int sendWindow, int receiveWindow) {
        this.id = id;
        this.sendWindow = sendWindow;
        this.receiveWindow = receiveWindow;
        this.window = receiveWindow;
    }

    /// The stream's number.
    public int id() {
        return id;
    }

    /// Whether the peer has sent all it will send.
    public boolean isInputEnded() {
        return state == State.HALF_CLOSED_REMOTE || state == State.CLOSED;
    }

    /// Whether nothing more can be sent.
    public boolean isOutputEnded() {
        return state == State.HALF_CLOSED_LOCAL || state == State.CLOSED;
    }

    /// Whether the stream ended before its time.
    public boolean isReset() {
        return isReset;
    }

    /// How urgently the response is wanted; null when the peer has not said.
    public @Nullable Priority priority() {
        return priority;
    }

    /// Whose stream it is.
    public @Nullable Object owner() {
        return owner;
    }

    /// Says whose stream it is.
    public void owner(Object value) {
        owner = value;
    }

    void inputEnded() {
        state = state == State.OPEN ? State.HALF_CLOSED_REMOTE : State.CLOSED;
    }

    void outputEnded() {
        state = state == State.OPEN ? State.HALF_CLOSED_LOCAL : State.CLOSED;
    }
}
