package io.margay.protocol.fastcgi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/// A request's parameters, encoded as FastCGI carries them (§3.4): each is the name's length, the
/// value's length, the name, the value; a length below 128 is one octet, another four with the
/// highest bit set. Immutable.
public final class FastCgiParameters {
    private final byte[] bytes;
    private final int length;

    private FastCgiParameters(byte[] bytes, int length) {
        this.bytes = bytes;
        this.length = length;
    }

    /// Octets when encoded.
    public int length() {
        return length;
    }

    void copy(int from, byte[] target, int offset, int count) {
        System.arraycopy(bytes, from, target, offset, count);
    }

    /// By name, in order; values are read as ISO 8859-1.
    public Map<String, String> toMap() {
        PairReader pairs = new PairReader(new FastCgiLimits(1024, 1, 1 << 24, Integer.MAX_VALUE));
        pairs.read(bytes, 0, length);
        Map<String, String> map = pairs.finish();
        if (map == null) {
            throw new IllegalStateException("what was encoded cannot be decoded");
        }
        return map;
    }

    /// Names only: values may hold credentials.
    @Override
    public String toString() {
        return "FastCgiParameters" + new LinkedHashMap<>(toMap()).keySet();
    }

    /// Collects parameters. Confined to one thread.
    public static final class Builder {
        private byte[] bytes = new byte[1024];
        private int used;

        /// A builder without parameters.
        public Builder() {}

        /// Adds one whose value's characters are octets, as those of fields are.
        public Builder add(String name, String value) {
            byte[] n = name.getBytes(StandardCharsets.ISO_8859_1);
            byte[] v = value.getBytes(StandardCharsets.ISO_8859_1);
            int needed = used + n.length + v.length + 8;
            if (needed > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length * 2));
            }
            length(n.length);
            length(v.length);
            System.arraycopy(n, 0, bytes, used, n.length);
            System.arraycopy(v, 0, bytes, used + n.length, v.length);
            used += n.length + v.length;
            return this;
        }

        private void length(int length) {
            if (length < 128) {
                bytes[used++] = (byte) length;
            } else {
                bytes[used++] = (byte) (length >>> 24 | 0x80);
                bytes[used++] = (byte) (length >>> 16);
                bytes[used++] = (byte) (length >>> 8);
                bytes[used++] = (byte) length;
            }
        }

        /// The parameters; the builder must not be used afterwards.
        public FastCgiParameters build() {
            return new FastCgiParameters(bytes, used);
        }
    }
}
