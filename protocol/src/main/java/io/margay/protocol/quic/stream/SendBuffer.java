package io.margay.protocol.quic.stream;

import io.margay.protocol.quic.RangeSet;

/// Data that is to be sent, or was sent and is not acknowledged. What was lost is sent again before
/// anything new. Bounded by its owner, who asks [#held] before it writes. Confined to the
/// connection's owner.
public final class SendBuffer {
    private final Chunks chunks = new Chunks();
    private final RangeSet lost = new RangeSet();
    private final RangeSet acked = new RangeSet();
    private long base;
    private long next;
    private long end;

    /// Octets that are held.
    public long held() {
        return end - base;
    }

    /// Octets of memory that are held.
    public int bytes() {
        return chunks.held() * Chunks.CHUNK_BYTES + lost.bytes() + acked.bytes();
    }

    /// Where the data ends that was written so far.
    public long end() {
        return end;
    }

    /// Where the data begins that was never sent.
    public long next() {
        return next;
    }

    /// Whether everything was acknowledged.
    public boolean isAcked() {
        return base == end;
    }

    /// Writes data behind what was written.
    public void write(byte[] source, int from, int to) {
        chunks.put(end, source, from, to);
        end += to - from;
    }

    /// Whether lost data is to be sent again.
    public boolean hasLost() {
        return !lost.isEmpty();
    }

    /// Whether there is data that was never sent.
    public boolean hasNew() {
        return next < end;
    }

    /// The offset of what is to be sent next.
    public long offset() {
        return lost.isEmpty() ? next : lost.from(0);
    }

    /// How much can be sent from [#offset] on.
    ///
    /// @param limit the offset up to which new data may be sent
    public long sendable(long limit) {
        return lost.isEmpty()
                ? Math.max(0, Math.min(end, limit) - next)
                : lost.to(0) - lost.from(0);
    }

    /// Takes `count` octets from [#offset] on, which are sent now.
    public void take(byte[] target, int at, int count) {
        long from = offset();
        chunks.get(from, target, at, at + count);
        if (lost.isEmpty()) {
            next += count;
        } else {
            lost.remove(from, from + count);
        }
    }

    /// The peer has got data.
    public void acked(long offset, int count) {
        long from = Math.max(offset, base);
        long to = offset + count;
        if (from >= to) {
            return;
        }
        lost.remove(from, to);
        if (from == base && acked.isEmpty()) {
            base = to;
        } else {
            acked.add(from, to);
            if (acked.from(0) == base) {
                base = acked.to(0);
                acked.removeFirst();
            }
        }
        chunks.pass(base);
    }

    /// Data was lost: what the peer has not acknowledged otherwise is to be sent again.
    public void lost(long offset, int count) {
        long at = Math.max(offset, base);
        long to = offset + count;
        if (at >= to) {
            return;
        }
        for (int i = acked.behind(at); i < acked.count() && at < to; i++) {
            if (acked.from(i) > at) {
                lost.add(at, Math.min(to, acked.from(i)));
            }
            at = Math.max(at, acked.to(i));
        }
        lost.add(at, to);
    }

    /// Everything that is not acknowledged is to be sent again.
    public void allLost() {
        lost(base, (int) (next - base));
    }

    /// Forgets everything. Nothing is sent any more, so that the data ends where it was sent up to.
    public void clear() {
        chunks.clear();
        lost.clear();
        acked.clear();
        base = next;
        end = next;
    }
}
