package io.margay.protocol.quic;

import java.util.Arrays;

/// Reads what a peer wrote, octet by octet. Reading beyond the end fails, and stays failed, so that
/// it is enough to ask [#failed] once after several reads. Confined to its user.
public final class WireReader {
    private byte[] bytes = {};
    private int at;
    private int end;
    private boolean failed;

    /// Begins to read `source[from,to)`.
    public WireReader begin(byte[] source, int from, int to) {
        bytes = source;
        at = from;
        end = to;
        failed = false;
        return this;
    }

    /// The octets that are read; not to be written.
    public byte[] bytes() {
        return bytes;
    }

    /// Where the next octet is.
    public int at() {
        return at;
    }

    /// Octets that are left.
    public int left() {
        return end - at;
    }

    /// Whether something was read that is not there.
    public boolean failed() {
        return failed;
    }

    /// A variable-length integer; 0 when there is none.
    public long varInt() {
        long value = failed ? VarInt.TRUNCATED : VarInt.get(bytes, at, end);
        if (value < 0) {
            failed = true;
            return 0;
        }
        at += VarInt.sizeFrom(bytes[at]);
        return value;
    }

    /// An octet, 0 to 255; 0 when there is none.
    public int octet() {
        if (failed || at >= end) {
            failed = true;
            return 0;
        }
        return bytes[at++] & 0xff;
    }

    /// So many octets as a number, the most significant first, at most 8.
    public long number(int size) {
        long value = 0;
        for (int i = 0; i < size; i++) {
            value = (value << 8) | octet();
        }
        return value;
    }

    /// Passes over octets.
    ///
    /// @return where they begin
    public int skip(long count) {
        int from = at;
        if (failed || count < 0 || count > end - at) {
            failed = true;
            return from;
        }
        at += (int) count;
        return from;
    }

    /// Copies octets; none when there are not so many.
    public byte[] take(long count) {
        int from = skip(count);
        return failed ? new byte[0] : Arrays.copyOfRange(bytes, from, at);
    }
}
