package io.margay.protocol.quic.recovery;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A packet that was sent and is neither acknowledged nor lost. Confined to the connection's owner.
public final class SentPacket {
    private final long number;
    private @Nullable SentFrame frames;
    private int frameCount;
    long time;
    int size;
    boolean eliciting;

    /// Whether it was sent with ECT(0).
    boolean marked;

    /// Whether it was acknowledged or lost.
    boolean done;

    public SentPacket(long number) {
        this.number = number;
    }

    public long number() {
        return number;
    }

    /// Octets with the headers.
    public int size() {
        return size;
    }

    /// Notes a frame that has an identity only.
    public void add(SentFrame.Kind kind, long id) {
        add(kind, id, 0, 0, false);
    }

    /// Notes a frame of data.
    public void add(SentFrame.Kind kind, long id, long offset, int length, boolean ends) {
        frames = new SentFrame(kind, id, offset, length, ends, frames);
        frameCount++;
    }

    /// Frames that were noted and not forgotten.
    int frameCount() {
        return frameCount;
    }

    /// Forgets the frames: what was to be done about them is done.
    void forget() {
        frames = null;
        frameCount = 0;
    }

    public void forEach(Consumer<SentFrame> action) {
        for (SentFrame frame = frames; frame != null; frame = frame.before) {
            action.accept(frame);
        }
    }
}
