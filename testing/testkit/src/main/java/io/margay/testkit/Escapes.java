package io.margay.testkit;

import java.io.ByteArrayOutputStream;

/// Octets as readable text: `\r`, `\n`, `\t`, `\0`, `\\`, and `\xHH` for whatever else is not
/// printable ASCII.
public final class Escapes {
    private Escapes() {}

    /// The text for some octets.
    public static String escape(byte[] octets) {
        StringBuilder text = new StringBuilder();
        for (byte octet : octets) {
            int c = octet & 0xff;
            switch (c) {
                case '\r' -> text.append("\\r");
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                case 0 -> text.append("\\0");
                case '\\' -> text.append("\\\\");
                default -> {
                    if (c >= ' ' && c < 127) {
                        text.append((char) c);
                    } else {
                        text.append(String.format("\\x%02x", c));
                    }
                }
            }
        }
        return text.toString();
    }

    /// The octets for a text.
    public static byte[] unescape(String text) {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 126 || c < ' ') {
                throw new IllegalArgumentException("write \\xHH for octet at " + i + " of " + text);
            }
            if (c != '\\') {
                octets.write(c);
                continue;
            }
            char escape = text.charAt(++i);
            switch (escape) {
                case 'r' -> octets.write('\r');
                case 'n' -> octets.write('\n');
                case 't' -> octets.write('\t');
                case '0' -> octets.write(0);
                case '\\' -> octets.write('\\');
                case 'x' -> {
                    octets.write(Integer.parseInt(text, i + 1, i + 3, 16));
                    i += 2;
                }
                default -> throw new IllegalArgumentException("unknown escape in " + text);
            }
        }
        return octets.toByteArray();
    }
}
