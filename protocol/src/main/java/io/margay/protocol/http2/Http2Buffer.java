package io.margay.protocol.http2;

import io.margay.protocol.multiplex.FieldBuffer;

/// Frames that are to be sent, in order: an array that grows. Guarded as its session is.
public final class Http2Buffer extends FieldBuffer {
    private static final byte[] NONE = new byte[0];
    private static final int FIRST_BYTES = 4_096;

    /// One without octets.
    public Http2Buffer() {
        super(FIRST_BYTES);
    }

    /// Takes the array with everything in it, and leaves `empty` to be filled, whose content does
    /// not matter. [#size] is to be asked before.
    public byte[] exchange(byte[] empty) {
        byte[] full = bytes;
        bytes = empty;
        to = 0;
        return full;
    }

    /// Gives back an array larger than `keepMax`, or any when nothing waits.
    void trim(int keepMax) {
        if (to == 0 && bytes.length > keepMax) {
            bytes = NONE;
        }
    }

    byte[] array() {
        return bytes;
    }

    void putInt(int value) {
        reserve(4);
        setInt(to, value);
        to += 4;
    }

    void putShort(int value) {
        put(value >> 8);
        put(value);
    }

    void setInt(int at, int value) {
        bytes[at] = (byte) (value >> 24);
        bytes[at + 1] = (byte) (value >> 16);
        bytes[at + 2] = (byte) (value >> 8);
        bytes[at + 3] = (byte) value;
    }

    void putFrameHeader(int length, int type, int flags, int streamId) {
        reserve(Http2.FRAME_HEADER_BYTES);
        setFrameHeader(to, length, type, flags, streamId);
        to += Http2.FRAME_HEADER_BYTES;
    }

    void setFrameHeader(int at, int length, int type, int flags, int streamId) {
        bytes[at] = (byte) (length >> 16);
        bytes[at + 1] = (byte) (length >> 8);
        bytes[at + 2] = (byte) length;
        bytes[at + 3] = (byte) type;
        bytes[at + 4] = (byte) flags;
        setInt(at + 5, streamId);
    }

    /// Makes room for `count` octets at `at` by moving what follows.
    void insert(int at, int count) {
        reserve(count);
        System.arraycopy(bytes, at, bytes, at + count, to - at);
        to += count;
    }
}
