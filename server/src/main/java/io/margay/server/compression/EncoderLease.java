package io.margay.server.compression;

import java.util.concurrent.atomic.AtomicInteger;

/// An encoder and the buffer of what it puts, for the length of one response.
///
/// Used by the thread that works on the response, between [#enter] and [#exit]. [#over] comes from
/// any thread when the exchange has ended, and takes the encoder away only where nobody uses it.
final class EncoderLease {
    /// Kept for what comes next.
    private static final int GROWN_BYTES_MAX = 128 * 1024;

    private static final int FREE = 0;
    private static final int USED = 1;
    private static final int OVER = 2;
    private static final int USED_AND_OVER = 3;

    private final Encoder encoder;
    private final Release release;
    private final AtomicInteger state = new AtomicInteger();
    private final int firstBytes;
    private byte[] bytes;
    private int used;
    private boolean finished;

    /// Takes an encoder back. Any thread.
    @FunctionalInterface
    interface Release {
        /// @param reusable whether it has come to its end
        void of(Encoder encoder, boolean reusable);
    }

    EncoderLease(Encoder encoder, Release release, int bufferBytes) {
        this.encoder = encoder;
        this.release = release;
        bytes = new byte[bufferBytes];
        firstBytes = bufferBytes;
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
        release.of(encoder, finished);
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

    /// Gives up what [#grow] has made, once it has been sent.
    void shrink() {
        if (bytes.length > GROWN_BYTES_MAX) {
            bytes = new byte[firstBytes];
        }
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
