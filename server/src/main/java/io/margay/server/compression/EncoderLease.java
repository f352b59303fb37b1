package io.margay.server.compression;

import java.util.concurrent.atomic.AtomicInteger;

/// An encoder and the buffer of what it puts, for the length of one response.
///
/// Used by the thread that works on the response, between [#enter] and [#exit]. [#over] comes from
/// any thread when the exchange has ended, and takes the encoder away only where nobody uses it.
final class EncoderLease {
    private static final int FREE = 0;
    private static final int USED = 1;
    private static final int OVER = 2;
    private static final int USED_AND_OVER = 3;

    private final Compressor compressor;
    private final Coding coding;
    private final Encoder encoder;
    private final AtomicInteger state = new AtomicInteger();
    private byte[] bytes;
    private int used;
    private boolean finished;

    EncoderLease(Compressor compressor, Coding coding, Encoder encoder, int bufferBytes) {
        this.compressor = compressor;
        this.coding = coding;
        this.encoder = encoder;
        bytes = new byte[bufferBytes];
    }

    /// Begins to use it.
    ///
    /// @return false when the exchange is over
    /// @throws IllegalStateException when another thread uses it
    boolean enter() {
        int seen = state.compareAndExchange(FREE, USED);
        if (seen == USED || seen == USED_AND_OVER) {
            throw new IllegalStateException("two threads write one response");
        }
        return seen == FREE;
    }

    /// Ends using it.
    void exit() {
        if (!state.compareAndSet(USED, FREE)) {
            letGo();
        }
    }

    /// The exchange has ended. Any thread.
    void over() {
        if (state.getAndUpdate(now -> now == USED ? USED_AND_OVER : OVER) == FREE) {
            letGo();
        }
    }

    /// An encoder that has not come to its end may have been left in the middle of something.
    private void letGo() {
        state.set(OVER);
        compressor.release(coding, encoder, finished);
    }

    // Between enter and exit

    /// Takes input, all of which is encoded before there is more.
    void input(byte[] source, int offset, int length) {
        encoder.input(source, offset, length);
    }

    /// Encodes into the buffer.
    ///
    /// @return whether it is full and there is more
    boolean fill(Encoder.Flush flush) {
        used += encoder.output(bytes, used, bytes.length - used, flush);
        boolean more = encoder.hasMore();
        finished |= !more && flush == Encoder.Flush.END;
        return more;
    }

    /// Makes room beside what is there.
    void grow() {
        bytes = java.util.Arrays.copyOf(bytes, Math.multiplyExact(bytes.length, 2));
    }

    byte[] bytes() {
        return bytes;
    }

    int used() {
        return used;
    }

    /// What was put has been sent.
    void clear() {
        used = 0;
    }
}
