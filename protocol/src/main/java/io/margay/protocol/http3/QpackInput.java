package io.margay.protocol.http3;

import io.margay.protocol.fields.HuffmanCode;
import java.util.Arrays;

/// Reads integers and strings of QPACK (RFC 9204 §4.1). What goes wrong stays: [#isShort] and
/// [#isMalformed] are asked after several reads. Confined to its user.
final class QpackInput {
    private static final int SHIFT_MAX = 56;

    private byte[] bytes = {};
    private int at;
    private int end;
    private boolean tooShort;
    private boolean malformed;
    private int needed;

    void begin(byte[] source, int from, int to) {
        bytes = source;
        at = from;
        end = to;
        tooShort = false;
        malformed = false;
        needed = 0;
    }

    int at() {
        return at;
    }

    boolean hasMore() {
        return at < end;
    }

    /// Whether the octets end too early.
    boolean isShort() {
        return tooShort;
    }

    /// Octets that are missing at least, when it is short.
    int needed() {
        return needed;
    }

    boolean isMalformed() {
        return malformed;
    }

    /// The next octet, which is not passed.
    int peek() {
        return bytes[at] & 0xff;
    }

    private boolean failed() {
        return tooShort || malformed;
    }

    private void runsShort(int missing) {
        tooShort = true;
        needed = Math.max(1, missing);
    }

    /// An integer with a prefix of so many bits, below 2^62.
    long integer(int prefixBits) {
        if (failed() || at >= end) {
            runsShort(1);
            return 0;
        }
        int mask = (1 << prefixBits) - 1;
        long value = bytes[at++] & mask;
        if (value < mask) {
            return value;
        }
        for (int shift = 0; shift <= SHIFT_MAX; shift += 7) {
            if (at >= end) {
                runsShort(1);
                return 0;
            }
            int octet = bytes[at++];
            value += (long) (octet & 0x7f) << shift;
            if (octet >= 0) {
                return value;
            }
        }
        malformed = true;
        return 0;
    }

    /// A string whose length has a prefix of so many bits.
    ///
    /// @param most octets that it may have
    byte[] string(int prefixBits, int most) {
        if (failed() || at >= end) {
            runsShort(1);
            return new byte[0];
        }
        boolean huffman = (bytes[at] & (1 << prefixBits)) != 0;
        long length = integer(prefixBits);
        // A code has 30 bits at most, so that encoded octets are at most four times as many.
        if (length > 4L * most) {
            malformed = true;
        }
        if (failed()) {
            return new byte[0];
        }
        if (length > end - at) {
            runsShort((int) length - (end - at));
            return new byte[0];
        }
        int from = at;
        at += (int) length;
        if (!huffman) {
            malformed |= length > most;
            return Arrays.copyOfRange(bytes, from, at);
        }
        byte[] target = new byte[HuffmanCode.decodedMax((int) length)];
        int decoded = HuffmanCode.decode(bytes, from, at, target);
        malformed |= decoded < 0 || decoded > most;
        return malformed ? new byte[0] : Arrays.copyOf(target, decoded);
    }
}
