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
    private int spanFrom;
    private int spanTo;
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

    /// The name of a request's field: a code or a string.
    String requestFieldName() {
        int length = u16();
        if (length >> 8 == Ajp.NAME_CODE) {
            String name = Ajp.requestField(length & 0xff);
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
        return find(length) ? new String(bytes, spanFrom, length, StandardCharsets.ISO_8859_1) : "";
    }

    /// What is read: spans are offsets in it.
    byte[] bytes() {
        return bytes;
    }

    /// Start of the string that was found last, in [#bytes] if nothing else is said.
    int spanFrom() {
        return spanFrom;
    }

    /// End of the string that was found last.
    int spanTo() {
        return spanTo;
    }

    /// Finds a string without making one.
    ///
    /// @return false when it is missing, as it may be
    boolean span() {
        int length = u16();
        if (length == Ajp.NULL_STRING) {
            spanFrom = 0;
            spanTo = 0;
            return false;
        }
        return find(length);
    }

    /// Finds a string that must be there.
    void requireSpan() {
        if (!span()) {
            fail(AjpError.NULL_STRING);
        }
    }

    /// Finds the name of a response's field: a code or a string.
    ///
    /// @return the bytes that the name is found in
    byte[] responseFieldName() {
        int length = u16();
        if (length >> 8 == Ajp.NAME_CODE) {
            byte[] name = Ajp.responseFieldBytes(length & 0xff);
            if (name.length == 0) {
                fail(AjpError.UNKNOWN_FIELD);
            }
            spanFrom = 0;
            spanTo = name.length;
            return name;
        }
        if (length == Ajp.NULL_STRING) {
            fail(AjpError.NULL_STRING);
        } else {
            boolean _ = find(length);
        }
        return bytes;
    }

    private boolean find(int length) {
        spanFrom = 0;
        spanTo = 0;
        if (!has(length + 1)) {
            return false;
        }
        for (int i = at; i < at + length; i++) {
            if (bytes[i] == 0) {
                fail(AjpError.BAD_STRING);
                return false;
            }
        }
        if (bytes[at + length] != 0) {
            fail(AjpError.BAD_STRING);
            return false;
        }
        spanFrom = at;
        spanTo = at + length;
        at = spanTo + 1;
        return true;
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
