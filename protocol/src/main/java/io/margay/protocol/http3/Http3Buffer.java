package io.margay.protocol.http3;

import io.margay.protocol.fields.HuffmanCode;
import java.util.Arrays;

/// Octets that are to be written to a stream. Guarded as its session is.
public final class Http3Buffer {
    private byte[] bytes = new byte[64];
    private int to;

    /// Octets that wait.
    public int size() {
        return to;
    }

    /// Takes the octets out.
    public byte[] take() {
        byte[] taken = Arrays.copyOf(bytes, to);
        to = 0;
        return taken;
    }

    private void reserve(int count) {
        if (bytes.length - to < count) {
            bytes = Arrays.copyOf(bytes, Math.max(to + count, 2 * bytes.length));
        }
    }

    void put(int octet) {
        reserve(1);
        bytes[to++] = (byte) octet;
    }

    void put(Http3Buffer other) {
        reserve(other.to);
        System.arraycopy(other.bytes, 0, bytes, to, other.to);
        to += other.to;
    }

    void clear() {
        to = 0;
    }

    /// An integer with a prefix of so many bits (RFC 9204 §4.1.1).
    void integer(int pattern, int prefixBits, long value) {
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

    /// A string whose length has a prefix of so many bits, with the mark of Huffman's code above
    /// them.
    void string(int pattern, int prefixBits, String text) {
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
