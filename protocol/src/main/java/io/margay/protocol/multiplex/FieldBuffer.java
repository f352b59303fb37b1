package io.margay.protocol.multiplex;

import io.margay.protocol.fields.HuffmanCode;
import java.util.Arrays;

/// Octets that are to be sent, in order: an array that grows, into which integers and strings of
/// HPACK (RFC 7541 §5) and of QPACK (RFC 9204 §4.1) are put. Guarded as its session is.
public abstract class FieldBuffer {
    private final int firstBytes;
    protected byte[] bytes = {};
    protected int to;

    /// @param firstBytes octets that the first array has
    protected FieldBuffer(int firstBytes) {
        this.firstBytes = firstBytes;
    }

    /// Octets that wait.
    public final int size() {
        return to;
    }

    protected final void reserve(int count) {
        if (bytes.length - to < count) {
            int length = Math.max(firstBytes, 2 * bytes.length);
            bytes = Arrays.copyOf(bytes, Math.max(to + count, length));
        }
    }

    /// Adds an octet.
    public final void put(int octet) {
        reserve(1);
        bytes[to++] = (byte) octet;
    }

    /// Adds octets.
    public final void put(byte[] source, int offset, int length) {
        reserve(length);
        System.arraycopy(source, offset, bytes, to, length);
        to += length;
    }

    /// Adds an integer.
    ///
    /// @param pattern what stands above its prefix
    /// @param prefixBits of the first octet, 3 to 8
    public final void integer(int pattern, int prefixBits, long value) {
        int mask = (1 << prefixBits) - 1;
        if (value < mask) {
            put(pattern | (int) value);
            return;
        }
        put(pattern | mask);
        long rest = value - mask;
        while (rest >= 0x80) {
            put((int) (rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        put((int) rest);
    }

    /// Adds a string, in Huffman's code where that is shorter.
    ///
    /// @param pattern what stands above the mark of that code
    /// @param prefixBits of the length, below that mark
    public final void string(int pattern, int prefixBits, String text) {
        int encoded = HuffmanCode.encodedBytes(text);
        if (encoded < text.length()) {
            integer(pattern | (1 << prefixBits), prefixBits, encoded);
            reserve(encoded);
            HuffmanCode.encode(text, bytes, to);
            to += encoded;
            return;
        }
        integer(pattern, prefixBits, text.length());
        reserve(text.length());
        for (int i = 0; i < text.length(); i++) {
            bytes[to++] = (byte) text.charAt(i);
        }
    }
}
