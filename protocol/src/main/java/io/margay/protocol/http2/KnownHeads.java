package io.margay.protocol.http2;

import io.margay.protocol.http.Priority;
import io.margay.protocol.http.RequestHead;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Requests that a client has made more than once, by the octets of their header blocks, so that
/// one which is made again is neither decoded nor checked again. Guarded as the session is.
///
/// Equal octets mean equal fields as long as the dynamic table is the same. So a head is kept with
/// the state of the table, and only if its block has not changed that. Heads are immutable: what is
/// kept is shared by all exchanges that ask for the same.
final class KnownHeads {
    /// Heads that are kept for a connection.
    static final int KEPT = 8;

    /// The largest block of a head that is kept.
    static final int BLOCK_BYTES_MAX = 256;

    /// The largest head that is kept, decoded: a block may be much smaller than what it says.
    static final int HEAD_BYTES_MAX = 512;

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /// A head and what it was decoded from.
    ///
    /// @param table the state of the table, as [HpackDecoder#changes] tells it
    /// @param ends whether the request has no content
    /// @param declared its `content-length`, or [Http2Stream#UNKNOWN]
    @SuppressWarnings("ArrayRecordComponent") // never compared, and its array stays in here
    record Known(
            byte[] block,
            long table,
            boolean ends,
            RequestHead head,
            long declared,
            @Nullable Priority priority) {}

    private @Nullable Known @Nullable [] kept;

    /// What was seen last at each place: a head is kept when it comes the second time.
    private int @Nullable [] seen;

    /// The head that a block stands for, or null.
    @Nullable Known find(byte[] bytes, int from, int to, boolean ends, long table) {
        @Nullable Known[] all = kept;
        if (all == null || to - from > BLOCK_BYTES_MAX) {
            return null;
        }
        Known known = all[place(hash(bytes, from, to))];
        return known != null
                        && known.table == table
                        && known.ends == ends
                        && Arrays.equals(known.block, 0, known.block.length, bytes, from, to)
                ? known
                : null;
    }

    /// Keeps a head if it has come before.
    ///
    /// @param headBytes what its names and values take
    void put(
            byte[] bytes,
            int from,
            int to,
            int headBytes,
            long table,
            boolean ends,
            RequestHead head,
            long declared,
            @Nullable Priority priority) {
        if (to - from > BLOCK_BYTES_MAX || headBytes > HEAD_BYTES_MAX) {
            return;
        }
        int hash = hash(bytes, from, to);
        int place = place(hash);
        int[] before = seen;
        if (before == null) {
            before = new int[KEPT];
            seen = before;
        }
        if (before[place] != hash) {
            before[place] = hash;
            return;
        }
        @Nullable Known[] all = kept;
        if (all == null) {
            all = new Known[KEPT];
            kept = all;
        }
        byte[] block = Arrays.copyOfRange(bytes, from, to);
        all[place] = new Known(block, table, ends, head, declared, priority);
    }

    /// Forgets all.
    void trim() {
        kept = null;
        seen = null;
    }

    private static int place(int hash) {
        return (hash ^ hash >>> 16) & (KEPT - 1);
    }

    /// Eight octets at a time. Who makes two blocks alike only has them decoded as any other.
    private static int hash(byte[] bytes, int from, int to) {
        long hash = (long) to - from;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            hash = (hash ^ (long) LONGS.get(bytes, at)) * 0x9e37_79b9_7f4a_7c15L;
            hash ^= hash >>> 32;
        }
        for (; at < to; at++) {
            hash = (hash ^ bytes[at]) * 0x9e37_79b9_7f4a_7c15L;
            hash ^= hash >>> 32;
        }
        return (int) hash;
    }
}
