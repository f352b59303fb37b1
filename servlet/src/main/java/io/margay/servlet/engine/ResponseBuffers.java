package io.margay.servlet.engine;

/// The response buffers of one application: a small one for every response, and one of the size
/// that servlets are told for those that do not fit. Thread-safe.
final class ResponseBuffers {
    private static final int FIRST_BYTES = 8192;

    private final BufferSlots first = new BufferSlots(FIRST_BYTES);
    private final BufferSlots whole = new BufferSlots(ServerResponse.BUFFER_BYTES);

    byte[] takeFirst() {
        return first.take();
    }

    byte[] takeWhole() {
        return whole.take();
    }

    /// Takes a buffer back; one of another size is ignored.
    void give(byte[] buffer) {
        first.give(buffer);
        whole.give(buffer);
    }
}
