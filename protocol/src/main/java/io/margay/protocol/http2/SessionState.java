package io.margay.protocol.http2;

import io.margay.protocol.http.ProtocolError;
import org.jspecify.annotations.Nullable;

/// What both halves of a session share: streams, windows, what was agreed, what is to be sent.
/// Guarded as the session is.
final class SessionState {
    /// How many streams that were reset here are remembered, so that what the peer had sent before
    /// it knew is ignored.
    private static final int RESETS_REMEMBERED = 256;

    private final Http2Session session;
    final boolean server;
    final Http2Limits limits;
    final FrameWriter writer = new FrameWriter();
    final OverheadBudget budget;
    final StreamTable streams = new StreamTable();
    final PeerSettings peer = new PeerSettings();
    private final int[] resets = new int[RESETS_REMEMBERED];
    private int resetCount;

    /// Why the session is of no use any more, or null.
    @Nullable ProtocolError failure;

    boolean goingAway;

    /// Whether the peer has said what it allows.
    boolean settled;

    /// Streams that are open, or on which work goes on.
    int slots;

    /// How many of them the peer has reset, so that only the work on them goes on.
    private int lingering;

    int lastPeerId;

    /// The streams that the peer has passed over last, both ends included.
    private int skippedFrom;

    private int skippedTo;
    int nextId;
    int sendWindow = Http2.WINDOW_DEFAULT;
    int receiveWindow;

    /// What the peer may send when all that it has sent has been used.
    private int window;

    private int credit;
    private int growth;

    SessionState(Http2Session session, boolean server, Http2Limits limits) {
        this.session = session;
        this.server = server;
        this.limits = limits;
        budget = new OverheadBudget(limits.overheadMax(), limits.overheadPerSecond());
        nextId = server ? 2 : 1;
        window = limits.connectionWindow(server);
        receiveWindow = window;
    }

    boolean isOfPeer(int id) {
        return (id & 1) == (server ? 1 : 0);
    }

    /// The peer begins a stream, so that it cannot begin lower ones any more (RFC 9113 §5.1.1).
    void begunByPeer(int id) {
        if (lastPeerId > 0 ? id > lastPeerId + 2 : id > 2) {
            skippedFrom = lastPeerId + 1;
            skippedTo = id - 1;
        }
        lastPeerId = id;
    }

    /// Whether the peer has passed over a stream, as far as that is known.
    boolean wasSkipped(int id) {
        return skippedFrom <= id && id <= skippedTo;
    }

    boolean isIdle(int id) {
        return isOfPeer(id) ? id > lastPeerId : id >= nextId;
    }

    /// Makes a stream.
    Http2Stream open(int id) {
        Http2Stream made =
                new Http2Stream(session, id, peer.initialWindow, limits.streamWindow(server));
        streams.add(made);
        slots++;
        return made;
    }

    void inputEnded(Http2Stream ended) {
        ended.inputEnded();
        closedIfSo(ended);
    }

    private void closedIfSo(Http2Stream ended) {
        if (ended.state == Http2Stream.State.CLOSED) {
            budget.earn(OverheadBudget.MESSAGE_ENDED);
            forget(ended);
        }
    }

    void outputEnded(Http2Stream ended) {
        ended.outputEnded();
        closedIfSo(ended);
    }

    /// Drops a stream that is closed from the table.
    void forget(Http2Stream closed) {
        streams.remove(closed);
        freeSlot(closed);
    }

    private void freeSlot(Http2Stream closed) {
        if (closed.released && closed.state == Http2Stream.State.CLOSED) {
            slots--;
            if (closed.lingers) {
                closed.lingers = false;
                lingering--;
            }
        }
    }

    /// The peer has reset a stream: for the peer its place is free, for us when the work is over.
    void cancelled(Http2Stream closed) {
        if (!closed.released) {
            closed.lingers = true;
            lingering++;
        }
        forget(closed);
    }

    /// Whether the peer has as many streams as it may have. The peer cannot know how long we work
    /// on what it has reset: as many streams as it may have at a time may be in that state beside
    /// those that are open, and only more than that count (CVE-2023-44487). Streams that end by a
    /// fault of the peer count until the work is over (CVE-2025-8671).
    boolean isFull() {
        int margin = Math.min(lingering, limits.streamsMax());
        return slots - margin >= limits.streamsMax();
    }

    /// Work on the stream is over: when it is closed, the peer may begin another in its place.
    void release(Http2Stream done) {
        if (!done.released) {
            done.released = true;
            freeSlot(done);
        }
    }

    void reset(Http2Stream which, int code) {
        writer.reset(which.id, code);
        abandon(which);
    }

    void abandon(Http2Stream which) {
        remember(which.id);
        which.state = Http2Stream.State.CLOSED;
        which.isReset = true;
        forget(which);
    }

    void remember(int id) {
        resets[resetCount++ % RESETS_REMEMBERED] = id;
    }

    boolean wasReset(int id) {
        for (int known : resets) {
            if (known == id) {
                return true;
            }
        }
        return false;
    }

    // Room for the peer

    /// Content is read: the next update of each window makes it wider, up to its limit.
    void grow(Http2Stream of) {
        if (of.window < limits.streamWindowBytes()) {
            of.growth = Math.min(of.window, limits.streamWindowBytes() - of.window);
        }
        if (window < limits.connectionWindowBytes()) {
            growth = Math.min(window, limits.connectionWindowBytes() - window);
        }
    }

    void creditBack(Http2Stream of, int count) {
        if (of.isInputEnded()) {
            return;
        }
        of.credit += count;
        if (of.credit >= of.window / 2) {
            of.credit += of.growth;
            of.window += of.growth;
            of.growth = 0;
            writer.windowUpdate(of.id, of.credit);
            of.receiveWindow += of.credit;
            of.credit = 0;
        }
    }

    void creditConnection(int count) {
        credit += count;
        if (credit >= window / 2 && failure == null) {
            credit += growth;
            window += growth;
            growth = 0;
            writer.windowUpdate(0, credit);
            receiveWindow += credit;
            credit = 0;
        }
    }
}
