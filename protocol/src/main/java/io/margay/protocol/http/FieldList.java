package io.margay.protocol.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Fields that are about to be sent: a growing list of name and value. Names compare without case.
///
/// A line may stand for one that was received, whose bytes are then copied without a string
/// between.
///
/// Confined to the thread that writes the message. Encoders refuse names that are no token and
/// values that hold CR, LF or NUL, so that a response cannot be split (RFC 9110 §5.5).
public final class FieldList {
    /// Name and value of each line in turn; or [Fields] that were received, and the index there.
    private Object[] lines = new Object[16];

    private int used;

    /// An empty list.
    public FieldList() {}

    /// Takes no more room than its lines need: it is kept for long.
    public void trim() {
        lines = Arrays.copyOf(lines, Math.max(2, used));
    }

    /// The number of lines.
    public int size() {
        return used / 2;
    }

    /// The name of line `index`.
    public String name(int index) {
        Fields source = received(index);
        return source == null ? (String) lines[2 * index] : source.name(receivedIndex(index));
    }

    /// The value of line `index`. Whoever asks for it as a string may do so again, so that the line
    /// is one of strings from now on.
    public String value(int index) {
        Fields source = received(index);
        if (source != null) {
            int at = receivedIndex(index);
            lines[2 * index] = source.name(at);
            lines[2 * index + 1] = source.value(at);
        }
        return (String) lines[2 * index + 1];
    }

    /// Whether the name of line `index` is `name`.
    public boolean nameIs(int index, String name) {
        Fields source = received(index);
        return source == null
                ? ((String) lines[2 * index]).equalsIgnoreCase(name)
                : source.nameIs(receivedIndex(index), name);
    }

    /// The number of characters in the name of line `index`.
    public int nameLength(int index) {
        Fields source = received(index);
        return source == null
                ? ((String) lines[2 * index]).length()
                : source.nameLength(receivedIndex(index));
    }

    /// The number of characters in the value of line `index`.
    public int valueLength(int index) {
        Fields source = received(index);
        return source == null
                ? ((String) lines[2 * index + 1]).length()
                : source.valueLength(receivedIndex(index));
    }

    /// The fields that line `index` stands in, at [#receivedIndex]; null when it is of this list
    /// alone.
    public @Nullable Fields received(int index) {
        return lines[2 * index] instanceof Fields source ? source : null;
    }

    /// Where line `index` stands in [#received].
    public int receivedIndex(int index) {
        return (Integer) lines[2 * index + 1];
    }

    /// Appends a line.
    public FieldList add(String name, String value) {
        append(name, value);
        return this;
    }

    /// Appends a line that was received.
    public FieldList add(Fields source, int index) {
        append(source, index);
        return this;
    }

    /// Appends every line of another list.
    public FieldList addAll(FieldList other) {
        for (int i = 0; i < other.size(); i++) {
            add(other.name(i), other.value(i));
        }
        return this;
    }

    private void append(Object first, Object second) {
        if (used == lines.length) {
            lines = Arrays.copyOf(lines, used * 2);
        }
        lines[used++] = first;
        lines[used++] = second;
    }

    /// Replaces every line of that name by one.
    public FieldList set(String name, String value) {
        int index = indexOf(name, 0);
        if (index < 0) {
            return add(name, value);
        }
        lines[2 * index] = name;
        lines[2 * index + 1] = value;
        removeFrom(name, index + 1);
        return this;
    }

    /// Removes every line of that name.
    public FieldList remove(String name) {
        removeFrom(name, 0);
        return this;
    }

    /// Removes all lines.
    public void clear() {
        Arrays.fill(lines, 0, used, null);
        used = 0;
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

    /// The distinct names, spelled as first added.
    public Set<String> names() {
        Map<String, String> names = new java.util.TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Map<String, Boolean> ordered = new LinkedHashMap<>();
        for (int i = 0; i < size(); i++) {
            if (names.putIfAbsent(name(i), name(i)) == null) {
                ordered.put(name(i), Boolean.TRUE);
            }
        }
        return ordered.keySet();
    }

    /// The first line at or after `from` whose name is `name`, or -1.
    public int indexOf(String name, int from) {
        for (int i = from; i < size(); i++) {
            if (nameIs(i, name)) {
                return i;
            }
        }
        return -1;
    }

    private void removeFrom(String name, int from) {
        int kept = 2 * from;
        for (int i = 2 * from; i < used; i += 2) {
            if (!nameIs(i / 2, name)) {
                lines[kept] = lines[i];
                lines[kept + 1] = lines[i + 1];
                kept += 2;
            }
        }
        Arrays.fill(lines, kept, used, null);
        used = kept;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < size(); i++) {
            text.append(name(i)).append(": ").append(value(i)).append('\n');
        }
        return text.toString();
    }
}
