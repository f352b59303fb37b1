package io.margay.servlet.engine.application;

import io.margay.server.exchange.ArrayPool;

/// The response buffers of one application: a small one for every response, and one of the size
/// that servlets are told for those that do not fit. Thread-safe.
public final class ResponseBuffers {
    /// Bytes of content that are held back by default, so that errors can still replace them.
    public static final int WHOLE_BYTES = 32_768;

    private static final int FIRST_BYTES = 8192;

    /// Buffers of each size that are kept while no response needs them, at most.
    private static final int KEPT = 64;

    private final ArrayPool first = new ArrayPool(FIRST_BYTES, KEPT);
    private final ArrayPool whole = new ArrayPool(WHOLE_BYTES, KEPT);

    public byte[] takeFirst() {
        return first.lease();
    }

    public byte[] takeWhole() {
        return whole.lease();
    }

    /// Takes a buffer back; one of another size is ignored.
    public void give(byte[] buffer) {
        first.release(buffer);
        whole.release(buffer);
    }
}
