package io.margay.gateway.limit;

import java.io.DataOutput;
import java.io.IOException;

/// SipHash-2-4 (Aumasson and Bernstein, 2012) of texts and numbers: who does not know its key can
/// neither find nor avoid two that meet. Immutable.
record KeyedHash(long first, long second) {
    private static final int BYTES = 8;

    /// Writes its key.
    void write(DataOutput out) throws IOException {
        out.writeLong(first);
        out.writeLong(second);
    }

    private static final class State {
        private long a;
        private long b;
        private long c;
        private long d;

        private void round() {
            a += b;
            b = Long.rotateLeft(b, 13) ^ a;
            a = Long.rotateLeft(a, 32);
            c += d;
            d = Long.rotateLeft(d, 16) ^ c;
            a += d;
            d = Long.rotateLeft(d, 21) ^ a;
            c += b;
            b = Long.rotateLeft(b, 17) ^ c;
            c = Long.rotateLeft(c, 32);
        }

        private void word(long word) {
            d ^= word;
            round();
            round();
            a ^= word;
        }

        private long end() {
            c ^= 0xff;
            round();
            round();
            round();
            round();
            return a ^ b ^ c ^ d;
        }
    }

    private State begin() {
        State state = new State();
        state.a = first ^ 0x736f6d6570736575L;
        state.b = second ^ 0x646f72616e646f6dL;
        state.c = first ^ 0x6c7967656e657261L;
        state.d = second ^ 0x7465646279746573L;
        return state;
    }

    /// That of bytes.
    long of(byte[] bytes) {
        State state = begin();
        int whole = bytes.length - bytes.length % BYTES;
        for (int i = 0; i < whole; i += BYTES) {
            state.word(word(bytes, i, BYTES));
        }
        long last = word(bytes, whole, bytes.length - whole);
        state.word(last | (long) bytes.length << 56);
        return state.end();
    }

    private static long word(byte[] bytes, int from, int count) {
        long word = 0;
        for (int i = 0; i < count; i++) {
            word |= (bytes[from + i] & 0xffL) << (BYTES * i);
        }
        return word;
    }
}
