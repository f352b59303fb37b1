package io.margay.gateway.peer;

import io.margay.protocol.http2.Http2Buffer;
import io.margay.protocol.http2.Http2Session;
import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.Connection;
import java.io.IOException;

/// What an HTTP/2 connection to a peer has to send: it collects in the session, and leaves once for
/// all that happens in one round of the loop. Confined to the connection's loop.
final class Http2PeerOutput {
    private enum State {
        IDLE,
        /// A write is due in this round.
        DUE,
        /// The peer does not take what was put.
        BLOCKED,
        CLOSED
    }

    private static final byte[] NOTHING = new byte[0];

    /// What every connection may keep for its peer without being counted: usual requests.
    private static final int FREE_BYTES = 8 * 1024;

    private final Connection io;
    private final Http2Session session;
    private final PeerLoop loop;
    private final MemoryBudget.Share memory;
    private State state = State.IDLE;
    private byte[] pending = NOTHING;
    private int pendingFrom;
    private int pendingTo;
    private long written;
    private long blockedNanos;

    Http2PeerOutput(Connection io, Http2Session session, PeerLoop loop) {
        this.io = io;
        this.session = session;
        this.loop = loop;
        memory = loop.memory().share(FREE_BYTES);
    }

    /// Octets that the session has put so far.
    long put() {
        return written + waiting();
    }

    /// Octets that the operating system has taken so far.
    long written() {
        return written;
    }

    private int waiting() {
        return pendingTo - pendingFrom + session.output().size();
    }

    /// Content that may be put before the peer takes what there is.
    int room() {
        boolean full = state == State.BLOCKED && !memory.hold(waiting());
        return full || state == State.CLOSED ? 0 : loop.limits().contentPieceBytes() - waiting();
    }

    boolean isBlocked() {
        return state == State.BLOCKED;
    }

    /// Since when the peer has taken nothing; while it is blocked.
    long blockedNanos() {
        return blockedNanos;
    }

    /// Something has been put.
    ///
    /// @return whether somebody has to write it at the end of the round
    boolean wake() {
        if (state != State.IDLE) {
            return false;
        }
        state = State.DUE;
        return true;
    }

    /// Sends what was put, unless the peer takes nothing.
    ///
    /// @return whether anything could be sent
    boolean write() throws IOException {
        if (state == State.BLOCKED || state == State.CLOSED) {
            return false;
        }
        while (pendingFrom < pendingTo || next()) {
            int count = io.write(pending, pendingFrom, pendingTo - pendingFrom);
            pendingFrom += count;
            written += count;
            if (pendingFrom < pendingTo) {
                state = State.BLOCKED;
                blockedNanos = loop.nanoTime();
                io.interest(Connection.READ | Connection.WRITE);
                return true;
            }
        }
        state = State.IDLE;
        return true;
    }

    private boolean next() {
        Http2Buffer output = session.output();
        int size = output.size();
        pendingFrom = 0;
        pendingTo = size;
        if (size > 0) {
            pending = output.exchange(pending);
        }
        return size > 0;
    }

    /// The peer takes something again.
    void unblock() {
        if (state == State.BLOCKED) {
            state = State.IDLE;
            memory.release();
            io.interest(Connection.READ);
        }
    }

    /// Nothing is sent any more.
    void close() {
        state = State.CLOSED;
        pending = NOTHING;
        pendingFrom = 0;
        pendingTo = 0;
        memory.release();
    }
}
