package io.margay.protocol.http2;

import io.margay.protocol.http.FieldList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Heads of responses that were sent more than once, with the blocks they were encoded to, so that
/// one which is sent again is neither checked nor encoded again. Guarded as the session is.
///
/// The same fields have the same block as long as the dynamic table is the same. So a block is kept
/// with the state of the table, and only if it has not changed that.
final class SentHeads {
    /// Heads that are kept for a connection.
    static final int KEPT = 8;

    /// The largest block that is kept.
    static final int BLOCK_BYTES_MAX = 256;

    /// The most lines that a head may have to be kept.
    static final int LINES_MAX = 16;

    /// A head and its block.
    ///
    /// @param table the state of the table, as [HpackEncoder#changes] tells it
    /// @param lines names and values in turn
    @SuppressWarnings("ArrayRecordComponent") // never compared, and its arrays stay in here
    private record Sent(
            int hash,
            long table,
            int status,
            long length,
            @Nullable String date,
            String[] lines,
            byte[] block) {
        boolean isOf(int code, FieldList fields, long content, @Nullable String day) {
            if (status != code || length != content || lines.length != 2 * fields.size()) {
                return false;
            }
            if (date == null ? day != null : !date.equals(day)) {
                return false;
            }
            for (int i = 0; i < lines.length; i += 2) {
                if (!lines[i].equals(fields.name(i / 2))
                        || !lines[i + 1].equals(fields.value(i / 2))) {
                    return false;
                }
            }
            return true;
        }
    }

    private @Nullable Sent @Nullable [] kept;

    /// What was seen last at each place: a head is kept when it is sent the second time.
    private int @Nullable [] seen;

    /// What the last call of [#find] was asked for; 0 for a head that is not to be kept.
    private int asked;

    /// The block of a head that was sent before, or null.
    byte @Nullable [] find(
            long table, int status, FieldList fields, long length, @Nullable String date) {
        asked = hash(status, fields, length, date);
        @Nullable Sent[] all = kept;
        if (asked == 0 || all == null) {
            return null;
        }
        Sent sent = all[place(asked)];
        return sent != null
                        && sent.hash == asked
                        && sent.table == table
                        && sent.isOf(status, fields, length, date)
                ? sent.block
                : null;
    }

    /// Keeps the block of the head that [#find] has just been asked for, if it was sent before.
    void put(
            long table,
            int status,
            FieldList fields,
            long length,
            @Nullable String date,
            byte[] bytes,
            int from,
            int to) {
        if (asked == 0 || to - from > BLOCK_BYTES_MAX) {
            return;
        }
        int place = place(asked);
        int[] before = seen;
        if (before == null) {
            before = new int[KEPT];
            seen = before;
        }
        if (before[place] != asked) {
            before[place] = asked;
            return;
        }
        @Nullable Sent[] all = kept;
        if (all == null) {
            all = new Sent[KEPT];
            kept = all;
        }
        String[] lines = new String[2 * fields.size()];
        for (int i = 0; i < fields.size(); i++) {
            lines[2 * i] = fields.name(i);
            lines[2 * i + 1] = fields.value(i);
        }
        byte[] block = Arrays.copyOfRange(bytes, from, to);
        all[place] = new Sent(asked, table, status, length, date, lines, block);
    }

    /// Forgets all.
    void trim() {
        kept = null;
        seen = null;
    }

    private static int place(int hash) {
        return (hash ^ hash >>> 16) & (KEPT - 1);
    }

    /// Of strings, which know their own once they have been asked for it; 0 for a head that is not
    /// to be kept: lines that were received would have to become strings.
    private static int hash(int status, FieldList fields, long length, @Nullable String date) {
        int count = fields.size();
        if (count > LINES_MAX) {
            return 0;
        }
        int hash = 31 * status + Long.hashCode(length);
        for (int i = 0; i < count; i++) {
            if (fields.received(i) != null) {
                return 0;
            }
            hash = 31 * (31 * hash + fields.name(i).hashCode()) + fields.value(i).hashCode();
        }
        hash = 31 * hash + (date == null ? 0 : date.hashCode());
        return hash == 0 ? 1 : hash;
    }
}
