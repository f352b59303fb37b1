package io.margay.protocol.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Received header or trailer fields (RFC 9110 §5): spans over bytes that belong to this object
/// alone.
///
/// Immutable once built. Names compare without case; values are ISO 8859-1 with outer white space
/// removed. Decoders of every protocol (HTTP/1.1, HTTP/2, AJP13) build it through [Builder].
public final class Fields {
    /// No fields at all.
    public static final Fields EMPTY = new Fields(new byte[0], new int[0], 0);

    private static final int INTS_PER_FIELD = 4;
    private static final int DIGITS_MAX = 18;

    private final byte[] bytes;
    private final int[] spans;
    private final int count;

    private Fields(byte[] bytes, int[] spans, int count) {
        this.bytes = bytes;
        this.spans = spans;
        this.count = count;
    }

    /// Wraps spans that a decoder has found; neither array may be written afterwards.
    ///
    /// @param spans four offsets into `bytes` per field: name start, name end, value start, value
    ///   end
    public static Fields ofSpans(byte[] bytes, int[] spans, int count) {
        if (spans.length < count * INTS_PER_FIELD) {
            throw new IllegalArgumentException("too few spans for " + count + " fields");
        }
        return new Fields(bytes, spans, count);
    }

    /// The number of field lines.
    public int size() {
        return count;
    }

    /// The name of line `index` as it was received.
    public String name(int index) {
        int at = index * INTS_PER_FIELD;
        return FieldNames.text(bytes, spans[at], spans[at + 1]);
    }

    /// Bytes of the name of line `index`.
    public int nameLength(int index) {
        int at = index * INTS_PER_FIELD;
        return spans[at + 1] - spans[at];
    }

    /// Bytes of the value of line `index`.
    public int valueLength(int index) {
        int at = index * INTS_PER_FIELD;
        return spans[at + 3] - spans[at + 2];
    }

    /// The same without the lines of some names, in no more room than the others need.
    public Fields without(Set<String> names) {
        int lines = 0;
        int length = 0;
        boolean[] goes = new boolean[count];
        for (int i = 0; i < count; i++) {
            for (String name : names) {
                goes[i] |= nameIs(i, name);
            }
            if (!goes[i]) {
                lines++;
                length += nameLength(i) + valueLength(i);
            }
        }
        Builder left = new Builder(lines, length);
        for (int i = 0; i < count; i++) {
            if (!goes[i]) {
                int at = i * INTS_PER_FIELD;
                left.add(bytes, spans[at], spans[at + 1], bytes, spans[at + 2], spans[at + 3]);
            }
        }
        return left.build();
    }

    /// Whether the name of line `index` is `name`.
    public boolean nameIs(int index, String name) {
        return nameLength(index) == name.length() && matches(spans[index * INTS_PER_FIELD], name);
    }

    /// Whether the name of line `index` begins with `prefix`.
    public boolean nameBegins(int index, String prefix) {
        return nameLength(index) >= prefix.length()
                && matches(spans[index * INTS_PER_FIELD], prefix);
    }

    /// Whether the value of line `index` is `text`, without regard to case.
    public boolean valueIs(int index, String text) {
        return valueLength(index) == text.length()
                && matches(spans[index * INTS_PER_FIELD + 2], text);
    }

    /// Whether the name of line `index` holds an octet, just as it was received.
    public boolean nameHolds(int index, char octet) {
        int at = index * INTS_PER_FIELD;
        for (int i = spans[at]; i < spans[at + 1]; i++) {
            if (bytes[i] == octet) {
                return true;
            }
        }
        return false;
    }

    /// The number that the digits of the value of line `index` spell; -1 for anything else and for
    /// more than 18 digits.
    public long decimal(int index) {
        int at = index * INTS_PER_FIELD;
        int from = spans[at + 2];
        int to = spans[at + 3];
        return to - from > DIGITS_MAX ? -1 : Octets.decimal(bytes, from, to);
    }

    /// Copies the name of line `index` into `target`, which has room for it.
    ///
    /// @return offset after it
    public int copyName(int index, byte[] target, int offset) {
        int at = index * INTS_PER_FIELD;
        return copy(spans[at], spans[at + 1], target, offset);
    }

    /// Copies the value of line `index` into `target`, which has room for it.
    ///
    /// @return offset after it
    public int copyValue(int index, byte[] target, int offset) {
        int at = index * INTS_PER_FIELD;
        return copy(spans[at + 2], spans[at + 3], target, offset);
    }

    private int copy(int from, int to, byte[] target, int offset) {
        System.arraycopy(bytes, from, target, offset, to - from);
        return offset + to - from;
    }

    /// The value of line `index`.
    public String value(int index) {
        int at = index * INTS_PER_FIELD;
        return text(spans[at + 2], spans[at + 3]);
    }

    /// The first value of `name`, or null.
    public @Nullable String get(String name) {
        int index = indexOf(name, 0);
        return index < 0 ? null : value(index);
    }

    /// Whether a line of that name exists.
    public boolean contains(String name) {
        return indexOf(name, 0) >= 0;
    }

    /// Every value of `name`, in order.
    public List<String> all(String name) {
        List<String> values = new ArrayList<>(2);
        for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
            values.add(value(i));
        }
        return values;
    }

    /// The distinct names in order of first appearance, in lower case.
    public Set<String> names() {
        Set<String> names = LinkedHashSet.newLinkedHashSet(count);
        for (int i = 0; i < count; i++) {
            names.add(name(i).toLowerCase(Locale.ROOT));
        }
        return names;
    }

    /// The distinct names in order of first appearance, each spelled as it was there.
    public List<String> namesAsReceived() {
        List<String> names = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String name = name(i);
            if (indexOf(name, 0) == i) {
                names.add(name);
            }
        }
        return names;
    }

    /// The first line at or after `from` whose name is `name`, or -1.
    public int indexOf(String name, int from) {
        for (int i = from; i < count; i++) {
            if (nameIs(i, name)) {
                return i;
            }
        }
        return -1;
    }

    private boolean matches(int start, String text) {
        for (int k = 0; k < text.length(); k++) {
            if (lower(bytes[start + k] & 0xff) != lower(text.charAt(k))) {
                return false;
            }
        }
        return true;
    }

    private static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    }

    private String text(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(name(i)).append(": ").append(value(i)).append('\n');
        }
        return text.toString();
    }

    /// Collects fields line by line. Confined to one thread.
    public static final class Builder {
        private byte[] bytes;
        private int[] spans;
        private int used;
        private int count;

        /// A builder without lines.
        public Builder() {
            this(8, 256);
        }

        /// A builder without lines that has room for some.
        ///
        /// @param lineCount how many lines are expected
        /// @param byteCount bytes that their names and values may have in all
        public Builder(int lineCount, int byteCount) {
            bytes = new byte[byteCount];
            spans = new int[Math.max(1, lineCount) * INTS_PER_FIELD];
        }

        /// Adds a line; name and value are copied.
        public Builder add(
                byte[] name, int nameFrom, int nameTo, byte[] value, int valueFrom, int valueTo) {
            int at = count * INTS_PER_FIELD;
            if (at == spans.length) {
                spans = java.util.Arrays.copyOf(spans, spans.length * 2);
            }
            spans[at] = used;
            spans[at + 1] = append(name, nameFrom, nameTo);
            spans[at + 2] = used;
            spans[at + 3] = append(value, valueFrom, valueTo);
            count++;
            return this;
        }

        /// Adds a line; characters above 255 are not allowed.
        public Builder add(String name, String value) {
            byte[] n = name.getBytes(StandardCharsets.ISO_8859_1);
            byte[] v = value.getBytes(StandardCharsets.ISO_8859_1);
            return add(n, 0, n.length, v, 0, v.length);
        }

        /// The number of lines so far.
        public int size() {
            return count;
        }

        /// The fields; the builder must not be used afterwards.
        public Fields build() {
            return count == 0 ? EMPTY : new Fields(bytes, spans, count);
        }

        private int append(byte[] from, int start, int end) {
            int length = end - start;
            if (used + length > bytes.length) {
                bytes = java.util.Arrays.copyOf(bytes, Math.max(bytes.length * 2, used + length));
            }
            System.arraycopy(from, start, bytes, used, length);
            used += length;
            return used;
        }
    }
}
