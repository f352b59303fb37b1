package io.margay.server.multiplex;

import io.margay.server.exchange.MemoryBudget;

/// What one connection holds that carries many messages: content of its streams that nobody has
/// read, copies of responses that their client does not take, a head in the making, and the
/// requests under way. Guarded by the lock of the connection.
public final class StreamMemory {
    /// Content that every connection may have unread: that of small forms.
    private static final int FREE_BYTES = 2_048;

    /// What a request takes that is under way, with its response, roughly. The first of a
    /// connection is not counted.
    private static final int REQUEST_BYTES = 8_192;

    /// Requests are counted so many at a time.
    private static final int REQUESTS_STEP = 4;

    private final MemoryBudget.Share share;
    private long bytes;
    private int headBytes;
    private long outputBytes;

    /// Requests that are counted. More than there are, so that the budget is not asked for each.
    private int requests;

    StreamMemory(MemoryBudget memory) {
        share = memory.share(FREE_BYTES);
    }

    /// Keeps content until it is read.
    ///
    /// @return false when there is no room; then it has not been kept
    boolean append(StreamInflow to, byte[] source, int start, int end) {
        int more = to.capacityFor(end - start) - to.capacity();
        if (more > 0 && !hold(bytes + more, headBytes, requests)) {
            return false;
        }
        bytes += more;
        to.append(source, start, end);
        return true;
    }

    /// Says what a head takes that has begun to come.
    ///
    /// @return false when there is no room for it
    public boolean head(int taken) {
        if (taken == headBytes) {
            return true;
        }
        boolean room = hold(bytes, taken, requests);
        headBytes = room ? taken : headBytes;
        return room;
    }

    /// Says how many requests are under way.
    ///
    /// @return false when there is no room for so many
    boolean requests(int count) {
        int counted = requests;
        if (count > counted) {
            counted = count == 1 ? 1 : (count + REQUESTS_STEP - 1) / REQUESTS_STEP * REQUESTS_STEP;
        } else if (count < counted / 2) {
            counted = count;
        }
        boolean room = counted == requests || hold(bytes, headBytes, counted);
        requests = room ? counted : requests;
        return room;
    }

    /// Says how much more is kept of responses that their client does not take, or less.
    ///
    /// @return false when there is no room for it; then it is not counted
    boolean output(int more) {
        outputBytes += more;
        if (hold(bytes, headBytes, requests) || more < 0) {
            return true;
        }
        outputBytes -= more;
        return false;
    }

    private boolean hold(long content, int head, int counted) {
        long ofRequests = counted <= 1 ? 0 : (long) counted * REQUEST_BYTES;
        return share.hold(content + head + ofRequests + outputBytes);
    }

    /// Whether a head has begun to come, when it was looked at last.
    public boolean hasHead() {
        return headBytes > 0;
    }

    /// Takes content as [StreamInflow#take] does.
    int take(StreamInflow from, byte[] target, int offset, int length) {
        int before = from.capacity();
        int count = from.take(target, offset, length);
        freed(before - from.capacity());
        return count;
    }

    /// Forgets what nobody has read.
    ///
    /// @return octets
    int discard(StreamInflow from) {
        int before = from.capacity();
        int count = from.discard();
        freed(before - from.capacity());
        return count;
    }

    private void freed(int count) {
        if (count > 0) {
            bytes -= count;
            boolean _ = hold(bytes, headBytes, requests);
        }
    }
}
