package io.margay.shadow;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Compares content of which nothing is known. Stateless.
final class BytesComparison {
    private static final int CONTEXT = 8;

    private BytesComparison() {}

    static void compare(byte[] old, byte[] fresh, Found found) {
        int at = Arrays.mismatch(old, fresh);
        if (at >= 0) {
            found.add(Kind.BYTES, "", shown(old, at), shown(fresh, at));
        }
    }

    /// Text, line ends apart.
    static void compareText(byte[] old, byte[] fresh, Charset charset, Found found) {
        if (Arrays.equals(old, fresh)) {
            return;
        }
        String left = Shown.withoutSecrets(new String(old, charset));
        String right = Shown.withoutSecrets(new String(fresh, charset));
        if (!left.equals(right)) {
            found.add(Kind.BYTES, "", left, right);
        }
    }

    /// Bytes from shortly before a place on, and how many there are.
    private static String shown(byte[] bytes, int at) {
        StringBuilder shown = new StringBuilder();
        shown.append(bytes.length).append(" bytes, from ").append(at).append(':');
        for (int i = at; i < Math.min(bytes.length, at + CONTEXT); i++) {
            shown.append(' ').append("%02x".formatted(bytes[i]));
        }
        String text =
                new String(
                        bytes,
                        Math.min(at, bytes.length),
                        Math.min(CONTEXT, Math.max(0, bytes.length - at)),
                        StandardCharsets.ISO_8859_1);
        boolean printable = text.chars().allMatch(c -> c >= ' ' && c < 0x7f);
        return shown.append(printable ? " \"" + text + "\"" : "").toString();
    }
}
