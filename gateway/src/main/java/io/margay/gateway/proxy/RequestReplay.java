package io.margay.gateway.proxy;

import java.util.Arrays;

/// What has been taken of a request's content, kept as long as it is short enough to be sent to
/// another peer. Confined to its exchange's loop.
final class RequestReplay {
    private static final byte[] NO_BYTES = new byte[0];
    private static final int FIRST_BYTES = 1024;

    /// Of all requests without content: it does not change.
    static final RequestReplay NOTHING = ended();

    private final int bytesMax;
    private byte[] bytes = NO_BYTES;
    private int length;
    private int position;
    private boolean ended;
    private boolean complete = true;

    RequestReplay(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    void add(byte[] source, int count) {
        if (ended) {
            throw new IllegalStateException("the content has ended");
        }
        if (!complete) {
            return;
        }
        if (length + count > bytesMax) {
            complete = false;
            bytes = NO_BYTES;
            length = 0;
            position = 0;
            return;
        }
        if (length + count > bytes.length) {
            int doubled = Math.max(FIRST_BYTES, bytes.length * 2);
            bytes = Arrays.copyOf(bytes, Math.max(Math.min(doubled, bytesMax), length + count));
        }
        System.arraycopy(source, 0, bytes, length, count);
        length += count;
        position = length;
    }

    private static RequestReplay ended() {
        RequestReplay made = new RequestReplay(0);
        made.ended = true;
        return made;
    }

    void end() {
        ended = true;
    }

    /// Whether the client has sent all.
    boolean isEnded() {
        return ended;
    }

    /// Whether everything that was taken is here.
    boolean isComplete() {
        return complete;
    }

    /// Whether nothing has been taken.
    boolean isEmpty() {
        return complete && length == 0;
    }

    /// Bytes that are here.
    int length() {
        return length;
    }

    // Sending once more

    void rewind() {
        if (length > 0) {
            position = 0;
        }
    }

    int remaining() {
        return length - position;
    }

    byte[] bytes() {
        return bytes;
    }

    int position() {
        return position;
    }

    void advance(int count) {
        position += count;
    }
}
