package io.margay.protocol.http3;

import io.margay.protocol.multiplex.FieldBuffer;
import java.util.Arrays;

/// Octets that are to be written to a stream. Guarded as its session is.
public final class Http3Buffer extends FieldBuffer {
    private static final int FIRST_BYTES = 64;

    /// One without octets.
    public Http3Buffer() {
        super(FIRST_BYTES);
    }

    /// Takes the octets out.
    public byte[] take() {
        byte[] taken = Arrays.copyOf(bytes, to);
        to = 0;
        return taken;
    }

    void put(Http3Buffer other) {
        put(other.bytes, 0, other.to);
    }

    void clear() {
        to = 0;
    }
}
