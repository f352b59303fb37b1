package io.margay.server.http2;

import io.margay.transport.Connection;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/// Sends what the streams of an HTTP/2 connection have put into its output. One thread at a time
/// does it for all: whoever gets the token.
///
/// A thread that has output to send and finds the token taken leaves a mark and goes on; who has
/// the token looks for the mark before giving it back. So nobody waits for another's write, and the
/// output of many streams leaves in one. The loop holds the token while it looks after an event, so
/// that all that the event leads to leaves together.
///
/// On a non-blocking connection the token stands for the connection itself: reads need it too. The
/// fields beside the token are its holder's; `blocked` and `writeStartNanos` are looked at by
/// others.
final class Http2Writer {
    private static final int HELD = 1;

    /// Somebody has put output while the token was held.
    private static final int OUTPUT_DUE = 2;

    /// The loop wanted to read while the token was held.
    private static final int INPUT_DUE = 4;

    /// Octets that the loop sends for one connection before the others have their turn.
    private static final int TURN_BYTES = 262_144;

    private static final byte[] NONE = new byte[0];

    private final Connection io;
    private final Source source;
    private final LongSupplier nanos;
    private final AtomicInteger token = new AtomicInteger();
    private byte[] bytes = NONE;
    private int from;
    private int to;

    /// Octets that may be sent before the token is given back.
    private long turnLeft;

    /// Whether the loop has sent enough for this turn, and goes on in the next. The loop's.
    private boolean rests;

    /// Whether output leaves at the end of the loop's round. The loop's.
    private boolean leavesLater;

    private final Runnable roundEnd = this::roundEnded;

    private volatile boolean blocked;
    private volatile long writeStartNanos;

    /// What has output to send, and is told what becomes of it. Called without a lock.
    interface Source {
        /// Gives what is to be sent.
        ///
        /// @param empty an array to be filled next
        /// @return octets in [#takenOutput], 0 for nothing
        int takeOutput(byte[] empty);

        byte[] takenOutput();

        /// Whether so little is to be sent that it may wait for more.
        boolean hasLittle();

        /// The connection is free again, for which the loop waits.
        void mayReadAgain();

        /// Whether room for output is waited for.
        void wantsToWrite(boolean wants);

        /// Everything has been taken by the source.
        void allSent() throws IOException;

        void failed(IOException cause);

        /// The token has been given back after sending.
        void released();
    }

    /// @param nanos the clock
    Http2Writer(Connection io, Source source, LongSupplier nanos) {
        this.nanos = nanos;
        this.io = io;
        this.source = source;
    }

    /// Takes the token if it is free.
    boolean hold() {
        return token.compareAndSet(0, HELD);
    }

    private boolean holdOr(int mark) {
        for (; ; ) {
            int state = token.get();
            if ((state & HELD) != 0 && (state & mark) != 0) {
                return false; // who holds it looks after what was put before this was read
            }
            int next = (state & HELD) == 0 ? HELD : state | mark;
            if (token.compareAndSet(state, next)) {
                return (state & HELD) == 0;
            }
        }
    }

    /// Takes the token, or has [Source#mayReadAgain] called as soon as it is given back.
    boolean holdToRead() {
        return holdOr(INPUT_DUE);
    }

    /// Sends what is in the output, or leaves it to the thread that is at it. Little leaves at the
    /// end of the loop's round, together with what other events of that round lead to: each send
    /// may wake the client's process.
    void flush() {
        if (!blocked && !isLeftForLater() && holdOr(OUTPUT_DUE)) {
            pushAndRelease();
        }
    }

    private boolean isLeftForLater() {
        if (io.blocking() || !io.inLoop() || (token.get() & HELD) != 0 || !source.hasLittle()) {
            return false;
        }
        if (!leavesLater) {
            leavesLater = io.atRoundEnd(roundEnd);
        }
        return leavesLater;
    }

    private void roundEnded() {
        leavesLater = false;
        if (!blocked && holdOr(OUTPUT_DUE)) {
            pushAndRelease();
        }
    }

    /// Sends on after others have had their turn. Loop thread.
    private void goOn() {
        rests = false;
        if (!io.isClosed()) {
            writable();
        }
    }

    /// The connection takes output again. Loop thread.
    void writable() {
        if (holdOr(OUTPUT_DUE)) {
            pushAndRelease();
        }
    }

    /// Since when a write waits for the peer, or 0.
    long stalledSinceNanos() {
        return writeStartNanos;
    }

    /// Sends what there is, and gives the token back. By its holder.
    void pushAndRelease() {
        IOException failure = null;
        boolean released = false;
        boolean spent = false;
        boolean inLoop = !io.blocking() && io.inLoop();
        turnLeft = inLoop ? rests ? 0 : TURN_BYTES : Long.MAX_VALUE;
        while (!released) {
            try {
                if (failure == null) {
                    push();
                }
            } catch (IOException e) {
                failure = e;
            }
            spent |= turnLeft <= 0;
            released = release();
        }
        if (spent && inLoop && !rests) {
            rests = true;
            io.execute(this::goOn);
        }
        if (failure != null) {
            source.failed(failure);
        }
        source.released();
    }

    private boolean release() {
        for (; ; ) {
            int state = token.get();
            if ((state & OUTPUT_DUE) != 0) {
                if (token.compareAndSet(state, state & ~OUTPUT_DUE)) {
                    return false;
                }
            } else if (token.compareAndSet(state, 0)) {
                if ((state & INPUT_DUE) != 0) {
                    source.mayReadAgain();
                }
                return true;
            }
        }
    }

    private void push() throws IOException {
        do {
            while (from < to || next()) {
                if (turnLeft <= 0) {
                    return;
                }
                if (writeStartNanos == 0) {
                    writeStartNanos = nanos.getAsLong();
                }
                int count = io.write(bytes, from, to - from);
                from += count;
                turnLeft -= count;
                if (count > 0) {
                    writeStartNanos = 0;
                }
                if (from < to) {
                    block();
                    return;
                }
            }
            if (!io.flush()) {
                block();
                return;
            }
            writeStartNanos = 0;
            if (!blocked) {
                break;
            }
            // Who puts output while this is set counts on this thread: so it looks again.
            blocked = false;
            source.wantsToWrite(false);
        } while (next());
        source.allSent();
    }

    private boolean next() {
        from = 0;
        to = source.takeOutput(bytes);
        if (to > 0) {
            bytes = source.takenOutput();
        }
        return to > 0;
    }

    private void block() {
        if (writeStartNanos == 0) {
            writeStartNanos = nanos.getAsLong();
        }
        blocked = true;
        source.wantsToWrite(true);
    }

    /// Gives the array to the garbage collector if nothing is being sent.
    void trim() {
        if (hold()) {
            if (from == to) {
                bytes = NONE;
                from = 0;
                to = 0;
            }
            pushAndRelease();
        }
    }
}
