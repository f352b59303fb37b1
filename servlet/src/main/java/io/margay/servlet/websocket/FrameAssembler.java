package io.margay.servlet.websocket;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Cuts the bytes of a client into whole frames (RFC 6455 §5.2), which it does not look into.
/// Confined to the tasks of one connection.
///
/// ```
///  0                   1                   2                   3
///  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
/// +-+-+-+-+-------+-+-------------+-------------------------------+
/// |F|R|R|R| opcode|M| Payload len |    Extended payload length    |
/// |I|S|S|S|  (4)  |A|     (7)     |             (16/64)           |
/// |N|V|V|V|       |S|             |   (if payload len==126/127)   |
/// ```
///
/// What a frame announces is not allocated before it has come.
final class FrameAssembler {
    private static final byte[] NONE = new byte[0];
    private static final int LENGTH_UNKNOWN = -1;
    private static final int FIN = 0x80;
    private static final int CONTROL = 0x08;

    private final int frameBytesMax;

    /// The beginning of a frame that has not come whole.
    private byte[] held = NONE;

    private int heldLength;

    /// Bytes of that frame, as soon as its head says so.
    private int frameLength = LENGTH_UNKNOWN;

    /// Content of the frames before, of a message that has not ended. It is held by whoever
    /// collects messages.
    private long messageBytes;

    /// @param frameBytesMax bytes of content that a frame may have
    FrameAssembler(int frameBytesMax) {
        this.frameBytesMax = frameBytesMax;
    }

    /// Adds bytes and gives what frames are whole now, one after the other; null for none. The
    /// result is the caller's, and may be backed by `source`.
    ///
    /// @throws FrameException when a frame breaks the protocol or is too long
    @Nullable ByteBuffer add(byte[] source, int length) throws FrameException {
        if (heldLength == 0) {
            return cut(source, length);
        }
        if (held.length - heldLength < length) {
            int doubled = Math.max(heldLength + length, Math.min(heldLength * 2, bytesWanted()));
            held = Arrays.copyOf(held, doubled);
        }
        System.arraycopy(source, 0, held, heldLength, length);
        int all = heldLength + length;
        heldLength = all;
        if (frameLength != LENGTH_UNKNOWN && all < frameLength) {
            return null;
        }
        byte[] collected = held;
        held = NONE;
        heldLength = 0;
        return cut(collected, all);
    }

    /// What has come of a frame that is not whole; 0 = none is begun.
    int frameBytes() {
        return heldLength;
    }

    /// Whether the peer owes the rest of a frame or of a message.
    boolean isOwed() {
        return heldLength > 0 || messageBytes > 0;
    }

    /// What a frame and a message that are begun take.
    long heldBytes() {
        return (heldLength == 0 ? 0 : held.length) + Math.min(messageBytes, frameBytesMax);
    }

    /// Forgets what is begun.
    void drop() {
        held = NONE;
        heldLength = 0;
        messageBytes = 0;
    }

    private int bytesWanted() {
        return frameLength == LENGTH_UNKNOWN ? 0 : frameLength;
    }

    private @Nullable ByteBuffer cut(byte[] bytes, int length) throws FrameException {
        int end = 0;
        frameLength = LENGTH_UNKNOWN;
        while (end < length) {
            int next = lengthOf(bytes, end, length);
            if (next == LENGTH_UNKNOWN || next > length - end) {
                frameLength = next;
                break;
            }
            countMessage(bytes[end], next);
            end += next;
        }
        if (end < length) {
            held = Arrays.copyOfRange(bytes, end, length);
            heldLength = length - end;
        }
        return end == 0 ? null : ByteBuffer.wrap(bytes, 0, end).slice();
    }

    /// Notes a whole frame: the beginning or continuation of a message, its end, or between them a
    /// control frame.
    private void countMessage(byte first, int length) {
        if ((first & CONTROL) == 0) {
            messageBytes = (first & FIN) != 0 ? 0 : messageBytes + length;
        }
    }

    /// Bytes of the frame that begins at `from`, head included, when the head is there.
    private int lengthOf(byte[] bytes, int from, int to) throws FrameException {
        if (to - from < 2) {
            return LENGTH_UNKNOWN;
        }
        int second = bytes[from + 1];
        if ((second & 0x80) == 0) {
            throw FrameException.violation("a client must mask its frames");
        }
        int code = second & 0x7f;
        int extra = code < 126 ? 0 : code == 126 ? 2 : 8;
        if (to - from < 2 + extra) {
            return LENGTH_UNKNOWN;
        }
        long content = extra == 0 ? code : number(bytes, from + 2, extra);
        if (content < 0) {
            throw FrameException.violation("the length of a frame is negative");
        }
        if (content > frameBytesMax) {
            throw FrameException.tooLong(frameBytesMax);
        }
        return 2 + extra + 4 + (int) content;
    }

    private static long number(byte[] bytes, int from, int count) {
        long value = 0;
        for (int i = 0; i < count; i++) {
            value = (value << 8) | (bytes[from + i] & 0xff);
        }
        return value;
    }
}
