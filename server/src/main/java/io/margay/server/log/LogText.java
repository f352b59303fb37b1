package io.margay.server.log;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// How a value that a client may have chosen is written into a log line: what is unsafe is escaped,
/// and what is too long is cut. Immutable.
///
/// A value that was cut ends in `...+N`, where N is how many of its characters are missing.
final class LogText {
    private static final int TABLE = 256;
    private static final HexFormat HEX = HexFormat.of();

    /// By character: what is written instead, or null for the character itself.
    private final @Nullable String[] escapes = new @Nullable String[TABLE];

    private LogText() {
        escapes['"'] = "\\\"";
        escapes['\\'] = "\\\\";
    }

    /// Only printable ASCII stays as it is; everything else of Latin-1 becomes `\xHH`.
    static LogText plain() {
        LogText text = new LogText();
        for (int c = 0; c < TABLE; c++) {
            if (c < 0x20 || c >= 0x7f) {
                text.escapes[c] = "\\x" + HEX.toHexDigits((byte) c);
            }
        }
        return text;
    }

    /// A JSON string without its quotes; what terminals obey is escaped by number.
    static LogText json() {
        LogText text = new LogText();
        for (int c = 0; c < 0xa0; c++) {
            if (c < 0x20 || c >= 0x7f) {
                text.escapes[c] = "\\u" + HEX.toHexDigits((char) c);
            }
        }
        return text;
    }

    /// Appends a value.
    ///
    /// @param charsMax of what is written at most; the mark of a cut comes on top
    void append(StringBuilder out, String value, int charsMax) {
        int safe = safeUpTo(value, Math.min(value.length(), charsMax));
        out.append(value, 0, safe);
        int left = charsMax - safe;
        for (int i = safe; i < value.length(); i++) {
            char c = value.charAt(i);
            String escape = escape(c);
            int length = escape == null ? 1 : escape.length();
            if (length > left) {
                out.append("...+").append(value.length() - i);
                return;
            }
            left -= length;
            if (escape == null) {
                out.append(c);
            } else {
                out.append(escape);
            }
        }
    }

    /// How many characters at the beginning need no escape: all of most values.
    private int safeUpTo(String value, int end) {
        for (int i = 0; i < end; i++) {
            char c = value.charAt(i);
            if (c >= TABLE || escapes[c] != null) {
                return i;
            }
        }
        return end;
    }

    private @Nullable String escape(char c) {
        return c < TABLE ? escapes[c] : "\\u" + HEX.toHexDigits(c);
    }
}
