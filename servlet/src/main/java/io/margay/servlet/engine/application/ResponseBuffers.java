package io.margay.servlet.engine.application;

/// The response buffers of one application: a small one for every response, and one of the size
/// that servlets are told for those that do not fit. Thread-safe.
public final class ResponseBuffers {
    /// Bytes of content that are held back by default, so that errors can still replace them.
    public static final int WHOLE_BYTES = 32_768;

    private static final int FIRST_BYTES = 8192;

    private final BufferSlots first = new BufferSlots(FIRST_BYTES);
    private final BufferSlots whole = new BufferSlots(WHOLE_BYTES);

    public byte[] takeFirst() {
        return first.take();
    }

    public byte[] takeWhole() {
        return whole.take();
    }

    /// Takes a buffer back; one of another size is ignored.
    public void give(byte[] buffer) {
        first.give(buffer);
        whole.give(buffer);
    }
}
