package io.margay.protocol.ajp;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A cursor over the payload of one packet that checks every length. The first fault sticks; after
/// it every value is a dummy. Confined to its decoder's thread.
///
/// A string is its length in two bytes, its bytes, and NUL: `00 03 'G' 'E' 'T' 00`.
final class PacketReader {
    private byte[] bytes = new byte[0];
    private int at;
    private int end;
    private @Nullable AjpError error;

    void reset(byte[] source, int from, int to) {
        bytes = source;
        at = from;
        end = to;
        error = null;
    }

    @Nullable AjpError error() {
        return error;
    }

    boolean failed() {
        return error != null;
    }

    /// Remembers a fault unless there is an earlier one.
    void fail(AjpError fault) {
        if (error == null) {
            error = fault;
        }
    }

    int remaining() {
        return end - at;
    }

    int u8() {
        return has(1) ? bytes[at++] & 0xff : 0;
    }

    int u16() {
        if (!has(2)) {
            return 0;
        }
        int value = (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
        at += 2;
        return value;
    }

    boolean bool() {
        int value = u8();
        if (value > 1) {
            fail(AjpError.BAD_BOOLEAN);
        }
        return value == 1;
    }

    /// A string that may be missing.
    @Nullable String string() {
        int length = u16();
        return length == Ajp.NULL_STRING ? null : text(length);
    }

    /// A string that must be there.
    String requiredString() {
        String text = string();
        if (text == null) {
            fail(AjpError.NULL_STRING);
            return "";
        }
        return text;
    }

    /// A field's name: a code or a string.
    String fieldName(boolean request) {
        int length = u16();
        if (length >> 8 == Ajp.NAME_CODE) {
            int code = length & 0xff;
            String name = request ? Ajp.requestField(code) : Ajp.responseField(code);
            if (name == null) {
                fail(AjpError.UNKNOWN_FIELD);
                return "";
            }
            return name;
        }
        if (length == Ajp.NULL_STRING) {
            fail(AjpError.NULL_STRING);
            return "";
        }
        return text(length);
    }

    private String text(int length) {
        if (!has(length + 1)) {
            return "";
        }
        for (int i = at; i < at + length; i++) {
            if (bytes[i] == 0) {
                fail(AjpError.BAD_STRING);
                return "";
            }
        }
        if (bytes[at + length] != 0) {
            fail(AjpError.BAD_STRING);
            return "";
        }
        String text = new String(bytes, at, length, StandardCharsets.ISO_8859_1);
        at += length + 1;
        return text;
    }

    /// Says that the payload must end here.
    void end() {
        if (at != end) {
            fail(AjpError.LONG_PACKET);
        }
    }

    private boolean has(int count) {
        if (error != null) {
            return false;
        }
        if (end - at < count) {
            error = AjpError.SHORT_PACKET;
            return false;
        }
        return true;
    }
}
