package io.margay.protocol.http1;

import static io.margay.protocol.http.Octets.isFieldValue;
import static io.margay.protocol.http.Octets.isToken;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Octets;
import java.nio.charset.StandardCharsets;

/// Writes field lines into a byte array; what both encoders share. Offsets go in and come out, and
/// [#FULL] means that the array is too short.
final class HeadWriter {
    static final int FULL = -1;

    static final byte[] CRLF = bytes("\r\n");
    private static final byte[] CONTENT_LENGTH = bytes("Content-Length: ");
    private static final byte[] CHUNKED = bytes("Transfer-Encoding: chunked\r\n");
    private static final byte[] CLOSE = bytes("Connection: close\r\n");

    private HeadWriter() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static int put(byte[] target, int offset, byte[] source) {
        if (offset < 0 || target.length - offset < source.length) {
            return FULL;
        }
        System.arraycopy(source, 0, target, offset, source.length);
        return offset + source.length;
    }

    /// Writes the lines but for those that the encoder writes itself.
    static int putFields(byte[] target, int offset, FieldList fields) {
        int p = offset;
        for (int i = 0; i < fields.size() && p >= 0; i++) {
            if (!isFramingField(fields, i)) {
                Fields received = fields.received(i);
                p =
                        received == null
                                ? putField(target, p, fields.name(i), fields.value(i))
                                : putReceived(target, p, received, fields.receivedIndex(i));
            }
        }
        return p;
    }

    static int putField(byte[] target, int offset, String name, String value) {
        if (offset < 0 || target.length - offset < name.length() + value.length() + 4) {
            return FULL;
        }
        int p = putName(target, offset, name);
        target[p++] = ':';
        target[p++] = ' ';
        p = putValue(target, p, value);
        target[p++] = '\r';
        target[p++] = '\n';
        return p;
    }

    /// Writes the field that tells how the content is framed; nothing for a negative length that is
    /// not `chunked`.
    static int putFraming(byte[] target, int offset, long framing, long chunked) {
        if (framing == chunked) {
            return put(target, offset, CHUNKED);
        }
        if (framing < 0) {
            return offset;
        }
        int p = put(target, offset, CONTENT_LENGTH);
        return put(target, p < 0 ? p : putDecimal(target, p, framing), CRLF);
    }

    static int putClose(byte[] target, int offset, boolean close) {
        return close ? put(target, offset, CLOSE) : offset;
    }

    private static int putDecimal(byte[] target, int offset, long value) {
        int digits = 1;
        for (long rest = value; rest >= 10; rest /= 10) {
            digits++;
        }
        if (target.length - offset < digits) {
            return FULL;
        }
        long rest = value;
        for (int p = offset + digits - 1; p >= offset; p--) {
            target[p] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return offset + digits;
    }

    static boolean isFramingField(FieldList fields, int index) {
        return switch (fields.nameLength(index)) {
            case 14 -> fields.nameIs(index, "content-length");
            case 17 -> fields.nameIs(index, "transfer-encoding");
            default -> false;
        };
    }

    /// The bytes are looked at once more: they may have come by a protocol with other rules.
    private static int putReceived(byte[] target, int offset, Fields received, int index) {
        int length = received.nameLength(index) + received.valueLength(index) + 4;
        if (target.length - offset < length) {
            return FULL;
        }
        int p = received.copyName(index, target, offset);
        if (p == offset) {
            throw badName();
        }
        for (int i = offset; i < p; i++) {
            if (!isToken(target[i])) {
                throw badName();
            }
        }
        target[p++] = ':';
        target[p++] = ' ';
        int end = received.copyValue(index, target, p);
        for (p = Octets.skipPrintable(target, p, end); p < end; p++) {
            if (!isFieldValue(target[p])) {
                throw badValue();
            }
        }
        target[p++] = '\r';
        target[p++] = '\n';
        return p;
    }

    private static int putName(byte[] target, int offset, String name) {
        int p = offset;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c > 127 || !isToken((byte) c)) {
                throw badName();
            }
            target[p++] = (byte) c;
        }
        if (p == offset) {
            throw badName();
        }
        return p;
    }

    private static int putValue(byte[] target, int offset, String value) {
        int p = offset;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c > 255 || !isFieldValue((byte) c)) {
                throw badValue();
            }
            target[p++] = (byte) c;
        }
        return p;
    }

    private static IllegalArgumentException badName() {
        return new IllegalArgumentException("a field name is not a token");
    }

    private static IllegalArgumentException badValue() {
        return new IllegalArgumentException(
                "a field value holds a control character or one beyond ISO 8859-1");
    }
}
