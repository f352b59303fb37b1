package io.margay.app.yaml;

import io.margay.app.yaml.YamlNode.Field;
import io.margay.app.yaml.YamlNode.Fields;
import io.margay.app.yaml.YamlNode.Items;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A file cut into the entries of its long list and what stands around them, each of which is read
/// alone; null in place of it wherever that could be another thing than reading it whole. Used by
/// one thread.
///
/// Each entry begins with a dash at the same column, and is YAML by itself with exactly one entry.
/// So is what is around, with an empty list at the same place. Then the whole is what the parts
/// are: a line that begins at the column of the list ends all that an entry has begun, and what can
/// go on beyond it, as a text in quotes, is not YAML without its end. Aliases without their anchors
/// are not either.
final class ListedFile {
    /// An entry that is to be looked for among those known.
    record Entry(String text, int from, int to, int line) {}

    private static final String OTHER_BREAKS = "\r\u0085\u2028\u2029";

    private final String file;
    private final char[] chars;
    private final String prefix;
    private final String suffix;
    private final List<Entry> entries;
    private final int keyLine;
    private final int linesOfEntries;
    private final Environment environment;
    private int nodes;

    private ListedFile(
            String file,
            String text,
            int from,
            int to,
            int keyLine,
            List<Entry> entries,
            int linesOfEntries,
            Environment environment) {
        this.file = file;
        chars = text.toCharArray();
        prefix = text.substring(0, from);
        suffix = text.substring(to);
        this.keyLine = keyLine;
        this.entries = entries;
        this.linesOfEntries = linesOfEntries;
        this.environment = environment;
    }

    /// Cuts a file.
    ///
    /// @return null when it has no such list in block form, or says something about documents
    static @Nullable ListedFile of(String file, String text, String key, Environment environment) {
        if (OTHER_BREAKS.chars().anyMatch(one -> text.indexOf(one) >= 0)) {
            return null; // The library counts lines by them, too.
        }
        String heading = key + ":";
        int line = 1;
        int from = 0;
        while (!isLine(text, from, heading)) {
            int end = text.indexOf('\n', from);
            if (end < 0 || isOfDocument(text, from)) {
                return null;
            }
            from = end + 1;
            line++;
        }
        int keyLine = line;
        int at = from + heading.length() + 1;
        int first = at;
        line++;
        int indent = -1;
        List<Entry> entries = new ArrayList<>();
        int begun = -1;
        int begunLine = 0;
        while (at < text.length()) {
            int end = text.indexOf('\n', at);
            end = end < 0 ? text.length() : end;
            int column = 0;
            while (at + column < end && text.charAt(at + column) == ' ') {
                column++;
            }
            boolean blank = at + column == end || text.charAt(at + column) == '#';
            if (begun < 0 && blank && !isPrintable(text, at + column, end)) {
                return null; // No part has what stands before the first entry.
            }
            boolean dash = !blank && text.startsWith("- ", at + column);
            if (!blank && indent < 0) {
                if (!dash) {
                    return null;
                }
                indent = column;
            }
            if (!blank && column == indent && dash) {
                if (begun >= 0) {
                    entries.add(new Entry(text.substring(begun, at), begun, at, begunLine));
                }
                begun = at;
                begunLine = line;
            } else if (!blank && column <= indent) {
                break;
            }
            at = Math.min(end + 1, text.length());
            line++;
        }
        if (begun < 0 || isAnyOfDocument(text, at)) {
            return null;
        }
        entries.add(new Entry(text.substring(begun, at), begun, at, begunLine));
        return new ListedFile(
                file, text, first, at, keyLine, entries, line - keyLine - 1, environment);
    }

    /// Whether there is no character that could end a line, or is not allowed.
    private static boolean isPrintable(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }

    private static boolean isLine(String text, int from, String line) {
        return text.startsWith(line, from)
                && from + line.length() < text.length()
                && text.charAt(from + line.length()) == '\n';
    }

    /// Whether a line is, or may be, a marker of documents or a directive.
    private static boolean isOfDocument(String text, int from) {
        return text.startsWith("---", from)
                || text.startsWith("...", from)
                || text.startsWith("%", from)
                || text.startsWith("\uFEFF", from);
    }

    private static boolean isAnyOfDocument(String text, int from) {
        int at = from;
        while (at < text.length()) {
            if (isOfDocument(text, at)) {
                return true;
            }
            int end = text.indexOf('\n', at);
            at = end < 0 ? text.length() : end + 1;
        }
        return false;
    }

    /// All that stands outside of the list.
    String frame() {
        return prefix + '\0' + suffix;
    }

    /// The entries of the list in their order, each with its node or with what is known of it.
    ///
    /// @param node null where it is known
    record Read(
            String text, @Nullable YamlNode node, KnownEntries.@Nullable Known known, int nodes) {}

    /// The document, in which the entries stand that are not known.
    ///
    /// @return null when it is to be read whole
    @Nullable Fields read(KnownEntries known) {
        String around = prefix.substring(0, prefix.length() - 1) + " []\n" + suffix;
        List<Problem> problems = new ArrayList<>();
        YamlParser parser = new YamlParser(file, environment, problems, keyLine, linesOfEntries);
        YamlNode root = parser.parse(around);
        nodes = parser.nodes();
        if (!problems.isEmpty() || !(root instanceof Fields fields)) {
            return null;
        }
        int at = list(fields, known.key());
        List<Read> read = at < 0 ? null : entries(known);
        if (read == null) {
            return null;
        }
        List<Field> all = new ArrayList<>(fields.fields());
        Field list = all.get(at);
        all.set(
                at,
                new Field(
                        list.position(),
                        list.key(),
                        new YamlNode.Listed(list.value().position(), read)));
        return new Fields(fields.position(), List.copyOf(all));
    }

    /// Which field is the list, at its place and empty; -1 = none.
    private int list(Fields fields, String key) {
        for (int i = 0; i < fields.fields().size(); i++) {
            Field field = fields.fields().get(i);
            if (field.key().equals(key)
                    && field.position().line() == keyLine
                    && field.position().column() == 1
                    && field.value() instanceof Items items
                    && items.nodes().isEmpty()) {
                return i;
            }
        }
        return -1;
    }

    private @Nullable List<Read> entries(KnownEntries known) {
        List<Read> all = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            KnownEntries.Known before = known.known(entry.text);
            Read read =
                    before == null
                            ? read(entry)
                            : new Read(entry.text, null, before, before.nodes());
            nodes += read == null ? 0 : read.nodes;
            if (read == null || nodes > YamlParser.NODES_MAX) {
                return null;
            }
            all.add(read);
        }
        return all;
    }

    private @Nullable Read read(Entry entry) {
        PlainYaml.Entry plain =
                PlainYaml.entry(file, chars, entry.from, entry.to, entry.line, environment);
        if (plain != null) {
            return new Read(entry.text, plain.node(), null, plain.nodes());
        }
        if (entry.text.indexOf('&') >= 0) {
            return null; // Perhaps an anchor, which what follows may mean.
        }
        List<Problem> problems = new ArrayList<>();
        YamlParser parser = new YamlParser(file, environment, problems, 0, entry.line - 1);
        YamlNode node = parser.parse(entry.text, 1);
        return problems.isEmpty() && node instanceof Items items && items.nodes().size() == 1
                ? new Read(entry.text, items.nodes().getFirst(), null, parser.nodes())
                : null;
    }
}
