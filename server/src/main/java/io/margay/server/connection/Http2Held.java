package io.margay.server.connection;

import io.margay.server.exchange.MemoryBudget;

/// What one connection holds: content of its streams that nobody has read, and a head in the
/// making. Guarded by the lock of the connection.
final class Http2Held {
    /// Content that every connection may have unread: that of small forms.
    private static final int FREE_BYTES = 2_048;

    private final MemoryBudget.Share share;
    private long bytes;
    private int headBytes;

    Http2Held(MemoryBudget memory) {
        share = memory.share(FREE_BYTES);
    }

    /// Keeps content until it is read.
    ///
    /// @return false when there is no room; then it has not been kept
    boolean append(Http2Inflow to, byte[] source, int start, int end) {
        int more = to.capacityFor(end - start) - to.capacity();
        if (more > 0 && !share.hold(headBytes + bytes + more)) {
            return false;
        }
        bytes += more;
        to.append(source, start, end);
        return true;
    }

    /// Says what a head takes that has begun to come.
    ///
    /// @return false when there is no room for it
    boolean head(int taken) {
        if (taken == headBytes) {
            return true;
        }
        boolean room = share.hold(taken + bytes);
        headBytes = room ? taken : headBytes;
        return room;
    }

    /// Whether a head has begun to come, when it was looked at last.
    boolean hasHead() {
        return headBytes > 0;
    }

    /// Takes content as [Http2Inflow#take] does.
    int take(Http2Inflow from, byte[] target, int offset, int length) {
        int before = from.capacity();
        int count = from.take(target, offset, length);
        freed(before - from.capacity());
        return count;
    }

    /// Forgets what nobody has read.
    ///
    /// @return octets
    int discard(Http2Inflow from) {
        int before = from.capacity();
        int count = from.discard();
        freed(before - from.capacity());
        return count;
    }

    private void freed(int count) {
        if (count > 0) {
            bytes -= count;
            boolean _ = share.hold(headBytes + bytes);
        }
    }
}
