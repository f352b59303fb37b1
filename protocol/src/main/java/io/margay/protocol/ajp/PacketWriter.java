package io.margay.protocol.ajp;

import io.margay.protocol.http.Fields;
import org.jspecify.annotations.Nullable;

/// Writes one packet into a byte array. What does not fit makes the whole packet [#FULL]. Confined
/// to one call.
final class PacketWriter {
    static final int FULL = -1;

    private final byte[] target;
    private final int start;
    private final int limit;
    private int at;
    private boolean full;

    /// @param packetBytesMax bytes the packet may have with its header
    PacketWriter(byte[] target, int offset, int packetBytesMax, int magic) {
        this.target = target;
        start = offset;
        limit = (int) Math.min(target.length, (long) offset + packetBytesMax);
        at = offset;
        u16(magic);
        u16(0);
    }

    void u8(int value) {
        if (room(1)) {
            target[at++] = (byte) value;
        }
    }

    void u16(int value) {
        if (room(2)) {
            target[at++] = (byte) (value >> 8);
            target[at++] = (byte) value;
        }
    }

    /// A string; null is written as such.
    ///
    /// @throws IllegalArgumentException when it holds NUL or a character above 255
    void string(@Nullable String text) {
        if (text == null) {
            u16(Ajp.NULL_STRING);
            return;
        }
        int length = text.length();
        if (length >= Ajp.NULL_STRING || !room(length + 3)) {
            full = true;
            return;
        }
        u16(length);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c == 0 || c > 255) {
                throw notCarried();
            }
            target[at++] = (byte) c;
        }
        target[at++] = 0;
    }

    /// The value of a field that was received.
    ///
    /// @throws IllegalArgumentException when it holds NUL
    void value(Fields received, int index) {
        int length = received.valueLength(index);
        if (length >= Ajp.NULL_STRING || !room(length + 3)) {
            full = true;
            return;
        }
        u16(length);
        int end = received.copyValue(index, target, at);
        for (int i = at; i < end; i++) {
            if (target[i] == 0) {
                throw notCarried();
            }
        }
        at = end;
        target[at++] = 0;
    }

    private static IllegalArgumentException notCarried() {
        return new IllegalArgumentException("text holds a character that AJP13 cannot carry");
    }

    /// Where the next byte goes, to be overwritten later by [#u16At].
    int mark() {
        return at;
    }

    void u16At(int mark, int value) {
        if (!full) {
            target[mark] = (byte) (value >> 8);
            target[mark + 1] = (byte) value;
        }
    }

    /// Completes the packet.
    ///
    /// @return the offset after it, or [#FULL]
    int finish() {
        if (full) {
            return FULL;
        }
        u16At(start + 2, at - start - Ajp.HEADER_BYTES);
        return at;
    }

    private boolean room(int count) {
        if (full || limit - at < count) {
            full = true;
            return false;
        }
        return true;
    }
}
