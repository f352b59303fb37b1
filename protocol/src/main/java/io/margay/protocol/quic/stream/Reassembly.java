package io.margay.protocol.quic.stream;

import io.margay.protocol.quic.RangeSet;

/// Puts the data of a stream, or of a handshake, back in order. What it takes is bounded by how far
/// ahead its owner lets the peer write, and the gaps by [#GAPS_MAX]. Confined to the connection's
/// owner.
///
/// Where data comes twice, what came first counts.
public final class Reassembly {
    /// Gaps between what has come. An honest peer makes one for each run of lost packets, so that a
    /// window of a megabyte in packets of 1 200 octets has at most some 440.
    public static final int GAPS_MAX = 1_000;

    private final Chunks chunks = new Chunks();
    private final RangeSet ahead = new RangeSet();
    private long position;

    /// The offset of the next octet to be read.
    public long position() {
        return position;
    }

    /// Octets that can be read now.
    public int readable() {
        return !ahead.isEmpty() && ahead.from(0) == position
                ? (int) Math.min(Integer.MAX_VALUE, ahead.to(0) - position)
                : 0;
    }

    /// Takes data.
    ///
    /// @return false when there are too many gaps, so that the connection is to end
    public boolean put(long offset, byte[] bytes, int from, int to) {
        long start = Math.max(offset, position);
        long end = offset + (to - from);
        if (start >= end) {
            return true;
        }
        if (ahead.isEmpty() || start >= ahead.to(ahead.count() - 1)) {
            chunks.put(start, bytes, from + (int) (start - offset), to);
        } else {
            fill(start, end, bytes, from - offset);
        }
        ahead.add(start, end);
        return ahead.count() <= GAPS_MAX;
    }

    /// Writes what has not come before.
    private void fill(long start, long end, byte[] bytes, long shift) {
        long at = start;
        for (int i = ahead.behind(at); i < ahead.count() && at < end; i++) {
            long known = ahead.from(i);
            if (known > at) {
                long to = Math.min(known, end);
                chunks.put(at, bytes, (int) (at + shift), (int) (to + shift));
            }
            at = Math.max(at, ahead.to(i));
        }
        if (at < end) {
            chunks.put(at, bytes, (int) (at + shift), (int) (end + shift));
        }
    }

    /// Reads what is in order.
    ///
    /// @return octets read
    public int read(byte[] target, int from, int to) {
        int count = Math.min(readable(), to - from);
        if (count > 0) {
            chunks.get(position, target, from, from + count);
            position += count;
            ahead.remove(position - count, position);
            chunks.pass(position);
        }
        return count;
    }

    /// Whether something came behind a gap.
    public boolean hasGap() {
        return ahead.count() > 1 || (ahead.count() == 1 && ahead.from(0) > position);
    }

    /// Chunks of memory that are held.
    int held() {
        return chunks.held();
    }

    /// Octets of memory that are held.
    public int bytes() {
        return held() * Chunks.CHUNK_BYTES + ahead.bytes();
    }

    /// Forgets everything.
    public void clear() {
        chunks.clear();
        ahead.clear();
    }
}
