package io.margay.lab.wire;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Compares the content of one answer with its template, piece by piece as it arrives. Confined to
/// the loop; one per connection.
public final class BodyCheck {
    private @Nullable BodyTemplate template;
    private long seen;
    private boolean right;
    private byte[] tail = new byte[0];
    private int tailLength;
    private @Nullable ByteArrayOutputStream capture;

    /// Prepares for an answer; without a template everything is right.
    public void begin(@Nullable BodyTemplate expected) {
        template = expected;
        seen = 0;
        right = true;
        tailLength = 0;
        if (expected != null && tail.length < expected.suffix.length) {
            tail = new byte[expected.suffix.length];
        }
    }

    /// From now on content is also kept there.
    public void captureIn(@Nullable ByteArrayOutputStream target) {
        capture = target;
    }

    public void accept(byte[] bytes, int from, int to) {
        if (capture != null) {
            capture.write(bytes, from, to - from);
        }
        BodyTemplate expected = template;
        if (expected != null && right) {
            int prefix = expected.prefix.length;
            if (seen < prefix) {
                int at = (int) seen;
                int count = Math.min(to - from, prefix - at);
                right = Arrays.equals(bytes, from, from + count, expected.prefix, at, at + count);
            }
            keepTail(bytes, from, to, expected.suffix.length);
        }
        seen += to - from;
    }

    /// Keeps the last bytes of what has arrived.
    private void keepTail(byte[] bytes, int from, int to, int wanted) {
        if (wanted == 0) {
            return;
        }
        int count = to - from;
        if (count >= wanted) {
            System.arraycopy(bytes, to - wanted, tail, 0, wanted);
            tailLength = wanted;
            return;
        }
        int keep = Math.min(tailLength, wanted - count);
        System.arraycopy(tail, tailLength - keep, tail, 0, keep);
        System.arraycopy(bytes, from, tail, keep, count);
        tailLength = keep + count;
    }

    /// Whether the content, now complete, was right.
    public boolean matches() {
        BodyTemplate expected = template;
        if (expected == null) {
            return true;
        }
        int suffix = expected.suffix.length;
        return right
                && (expected.length == BodyTemplate.ANY_LENGTH
                        ? seen >= expected.prefix.length + suffix
                        : seen == expected.length)
                && tailLength == suffix
                && Arrays.equals(tail, 0, suffix, expected.suffix, 0, suffix);
    }
}
