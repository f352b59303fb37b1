package io.margay.lab.wire;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// What the content of every answer must be: all bytes, or those around the part that changes.
/// Immutable.
///
/// It is learned from samples. Where they differ, the part that changes is widened to the next line
/// end, `<`, `>` or quotation mark on both sides: a clock whose seconds have changed will change
/// its minutes too.
public final class BodyTemplate {
    /// Length of content that may vary in length.
    static final long ANY_LENGTH = -1;

    private static final String BOUNDARIES = "<>\n\"";

    final byte[] prefix;
    final byte[] suffix;

    /// All bytes of the content, or [#ANY_LENGTH].
    final long length;

    private BodyTemplate(byte[] prefix, byte[] suffix, long length) {
        this.prefix = prefix;
        this.suffix = suffix;
        this.length = length;
    }

    /// The template that all samples fit.
    public static BodyTemplate of(List<byte[]> samples) {
        byte[] first = samples.getFirst();
        int before = first.length;
        int after = first.length;
        boolean sameLength = true;
        for (byte[] sample : samples) {
            int mismatch = Arrays.mismatch(first, sample);
            if (mismatch >= 0) {
                before = Math.min(before, mismatch);
                after = Math.min(after, commonEnd(first, sample));
                sameLength &= first.length == sample.length;
            }
        }
        if (before == first.length && sameLength) {
            return new BodyTemplate(first, new byte[0], first.length);
        }
        while (before > 0 && BOUNDARIES.indexOf(first[before - 1]) < 0) {
            before--;
        }
        int from = first.length - after;
        while (from < first.length && BOUNDARIES.indexOf(first[from]) < 0) {
            from++;
        }
        from = Math.max(from, before);
        return new BodyTemplate(
                Arrays.copyOf(first, before),
                Arrays.copyOfRange(first, from, first.length),
                sameLength ? first.length : ANY_LENGTH);
    }

    private static int commonEnd(byte[] a, byte[] b) {
        int count = 0;
        while (count < Math.min(a.length, b.length)
                && a[a.length - 1 - count] == b[b.length - 1 - count]) {
            count++;
        }
        return count;
    }

    boolean isExact() {
        return length == prefix.length;
    }

    /// What is compared, in words.
    public String words() {
        return isExact()
                ? "all %d bytes, SHA-256 %s".formatted(length, digest(prefix).substring(0, 16))
                : "%s, the first %d and the last %d compared"
                        .formatted(
                                length == ANY_LENGTH ? "any length" : length + " bytes",
                                prefix.length,
                                suffix.length);
    }

    public boolean contains(String text) {
        return latin(prefix).contains(text) || latin(suffix).contains(text);
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
