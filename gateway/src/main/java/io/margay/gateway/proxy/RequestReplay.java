package io.margay.gateway.proxy;

import io.margay.gateway.peer.HeldBytes;
import io.margay.server.exchange.MemoryBudget;

/// What has been taken of a request's content, kept as long as it is short enough to be sent to
/// another peer and there is memory for it. Confined to its exchange's loop.
final class RequestReplay {
    private enum Kept {
        ALL,
        NOTHING_MORE,
        TOO_LONG,
        NO_MEMORY
    }

    private static final int FIRST_BYTES = 1024;

    /// Of all requests without content: it does not change.
    static final RequestReplay NOTHING = ended();

    private final int bytesMax;
    private final HeldBytes held;
    private Kept kept = Kept.ALL;
    private int position;
    private boolean ended;

    RequestReplay(int bytesMax, MemoryBudget memory) {
        this.bytesMax = bytesMax;
        held = new HeldBytes(memory);
    }

    void add(byte[] source, int count) {
        if (ended) {
            throw new IllegalStateException("the content has ended");
        }
        if (kept != Kept.ALL) {
            return;
        }
        if (held.length() + count > bytesMax) {
            drop(Kept.TOO_LONG);
        } else if (!held.add(source, 0, count, FIRST_BYTES)) {
            drop(Kept.NO_MEMORY);
        } else {
            position = held.length();
        }
    }

    private void drop(Kept now) {
        kept = now;
        held.drop();
        position = 0;
    }

    /// Forgets what was kept: there will be no other attempt.
    void drop() {
        if (kept == Kept.ALL && this != NOTHING) {
            drop(Kept.NOTHING_MORE);
        }
    }

    private static RequestReplay ended() {
        RequestReplay made = new RequestReplay(0, MemoryBudget.UNBOUNDED);
        made.ended = true;
        return made;
    }

    void end() {
        ended = true;
    }

    /// Whether the client has sent all.
    boolean isEnded() {
        return ended;
    }

    /// Whether everything that was taken is here.
    boolean isComplete() {
        return kept == Kept.ALL;
    }

    /// Whether it would be, if there were memory for it.
    boolean isWithoutMemory() {
        return kept == Kept.NO_MEMORY;
    }

    /// Whether nothing has been taken.
    boolean isEmpty() {
        return kept == Kept.ALL && held.length() == 0;
    }

    /// Bytes that are here.
    int length() {
        return held.length();
    }

    // Sending once more

    void rewind() {
        if (held.length() > 0) {
            position = 0;
        }
    }

    int remaining() {
        return held.length() - position;
    }

    byte[] bytes() {
        return held.bytes();
    }

    int position() {
        return position;
    }

    void advance(int count) {
        position += count;
    }
}
