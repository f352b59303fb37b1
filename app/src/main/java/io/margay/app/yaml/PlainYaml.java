package io.margay.app.yaml;

import io.margay.app.yaml.YamlNode.Field;
import io.margay.app.yaml.YamlNode.Fields;
import io.margay.app.yaml.YamlNode.Items;
import io.margay.app.yaml.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the plain part of YAML in which most entries of long lists are written: block sections and
/// lists, `{…}` and `[…]` on one line, words, and quoted texts without escapes. It gives up on
/// everything else, and on everything wrong, which is left to [YamlParser]; what it does read is
/// the same to the position. Used by one thread.
///
/// It exists since a start with thousands of hosts would spend most of its time in the library.
final class PlainYaml {
    @SuppressWarnings("StaticAssignmentOfThrowable") // without a stack, and kept by nobody
    private static final NotPlain NOT_PLAIN = new NotPlain();

    /// Characters of a key at most, as in YAML.
    private static final int KEY_MAX = 1000;

    /// Levels below an entry at most: those above it are two.
    private static final int DEPTH_MAX = YamlParser.DEPTH_MAX - 2;

    private final String file;
    private final char[] text;
    private final int end;
    private final Environment environment;
    private int at;
    private int line;
    private int lineStart;
    private int nodes;

    /// Whether the last word stood in quotes.
    private boolean quoted;

    /// It is not plain, or wrong.
    private static final class NotPlain extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotPlain() {
            super("", null, false, false);
        }
    }

    private PlainYaml(
            String file, char[] text, int from, int to, int line, Environment environment) {
        this.file = file;
        this.text = text;
        this.environment = environment;
        at = from;
        lineStart = from;
        end = to;
        this.line = line;
    }

    /// A list entry that was read.
    ///
    /// @param nodes how many values it has
    record Entry(YamlNode node, int nodes) {}

    /// Reads one entry of a block list.
    ///
    /// @param from where its first line begins
    /// @param to behind its last line
    /// @param line the number of its first line, that of its dash
    /// @return null where it is not plain
    static @Nullable Entry entry(
            String file, char[] text, int from, int to, int line, Environment environment) {
        PlainYaml reader = new PlainYaml(file, text, from, to, line, environment);
        try {
            int indent = reader.skipToContent();
            reader.dash();
            YamlNode node = reader.node(reader.column(), reader.column() - 1, 0, true);
            return reader.skipToContent() < 0 && indent >= 0 ? new Entry(node, reader.nodes) : null;
        } catch (NotPlain | IllegalArgumentException e) {
            return null;
        }
    }

    private int column() {
        return at - lineStart;
    }

    private Position position() {
        return new Position(file, line, column() + 1);
    }

    private char now() {
        return at < end ? text[at] : '\n';
    }

    private char next() {
        return at + 1 < end ? text[at + 1] : '\n';
    }

    /// Skips the rest of the line, which is blank or a comment, and further such lines.
    ///
    /// @return the indentation of the next content; -1 = there is none
    private int skipToContent() {
        while (true) {
            while (at < end && text[at] == ' ') {
                at++;
            }
            if (at >= end) {
                return -1;
            }
            char c = text[at];
            if (c == '#' && (column() == 0 || text[at - 1] == ' ')) {
                skipComment();
            } else if (c != '\n') {
                return column();
            }
            if (at >= end) {
                return -1;
            }
            at++;
            line++;
            lineStart = at;
        }
    }

    private void skipComment() {
        while (at < end && text[at] != '\n') {
            requirePrintable(text[at]);
            at++;
        }
    }

    private static void requirePrintable(char c) {
        if (c < ' ' || c > '~') {
            throw NOT_PLAIN;
        }
    }

    /// Goes behind a dash to the content in its line.
    private void dash() {
        if (now() != '-' || next() != ' ') {
            throw NOT_PLAIN;
        }
        at++;
        skipSpaces();
        if (now() == '\n' || now() == '#') {
            throw NOT_PLAIN;
        }
    }

    private void skipSpaces() {
        while (now() == ' ') {
            at++;
        }
    }

    /// The node that begins here: a section or list ends before a line that is indented less than
    /// `column`, what stands in one line before one that is indented more than `outer`.
    ///
    /// @param nested false = what stands behind a key in its line, which is no section in block
    ///   form
    private YamlNode node(int column, int outer, int depth, boolean nested) {
        if (depth > DEPTH_MAX) {
            throw NOT_PLAIN;
        }
        char first = now();
        if (first == '-' && next() == ' ' && nested) {
            return list(column, depth);
        }
        YamlNode node;
        if (first == '{' || first == '[') {
            node = flow(depth);
        } else {
            Position start = position();
            String word = word(false);
            if (now() == ':' && nested) {
                return section(column, start, word, depth);
            }
            node = scalar(start, word);
        }
        endOfValue(outer);
        return node;
    }

    private Scalar scalar(Position start, String word) {
        nodes++;
        return new Scalar(start, environment.expand(word), !quoted);
    }

    /// A section whose first key has been read.
    ///
    /// As [#word], it is long so that it is not compiled once more in what it calls for its values.
    private YamlNode section(int column, Position start, String first, int depth) {
        nodes++;
        List<Field> fields = new ArrayList<>(4);
        Position place = start;
        String key = first;
        int indent = column;
        while (indent == column) {
            if (fields.size() > 0) {
                place = new Position(file, line, at - lineStart + 1);
                key = word(false);
            }
            boolean ends = at + 1 >= end || text[at + 1] == '\n';
            if (at >= end
                    || text[at] != ':'
                    || (!ends && text[at + 1] != ' ')
                    || key.length() > KEY_MAX) {
                throw NOT_PLAIN;
            }
            for (int i = 0; i < fields.size(); i++) {
                if (fields.get(i).key().equals(key)) {
                    throw NOT_PLAIN;
                }
            }
            at++;
            while (at < end && text[at] == ' ') {
                at++;
            }
            YamlNode value;
            if (at < end && text[at] != '\n' && text[at] != '#') {
                value = node(column, column, depth + 1, false);
            } else {
                int below = skipToContent();
                // The dashes of a list may stand below the key that it belongs to.
                boolean list =
                        below == column && text[at] == '-' && at + 1 < end && text[at + 1] == ' ';
                if (below <= column && !list) {
                    throw NOT_PLAIN;
                }
                value = node(below, below - 1, depth + 1, true);
            }
            fields.add(new Field(place, key, value));
            indent = at >= end ? -1 : at - lineStart;
        }
        if (indent > column) {
            throw NOT_PLAIN;
        }
        return new Fields(start, List.copyOf(fields));
    }

    /// Whether a section or list at `column` ends here.
    private boolean isDone(int column) {
        int indent = this.at >= end ? -1 : column();
        if (indent > column) {
            throw NOT_PLAIN;
        }
        return indent < column;
    }

    private YamlNode list(int column, int depth) {
        nodes++;
        Position start = position();
        List<YamlNode> items = new ArrayList<>();
        do {
            dash();
            items.add(node(column(), column() - 1, depth + 1, true));
        } while (!isDone(column) && now() == '-' && next() == ' ');
        return new Items(start, List.copyOf(items));
    }

    /// Goes to the next content behind a value in one line; what is indented more than `column`
    /// would go on with it.
    private void endOfValue(int column) {
        if (now() != '\n' && now() != ' ') {
            throw NOT_PLAIN;
        }
        int before = line;
        int indent = skipToContent();
        if (indent >= 0 && (line == before || indent > column)) {
            throw NOT_PLAIN;
        }
    }

    /// A section or list on one line. As [#section], it is long for the compiler's sake: put into
    /// itself, level by level, it cost a start with thousands of hosts a fifth of the time of C2.
    private YamlNode flow(int depth) {
        if (depth > DEPTH_MAX) {
            throw NOT_PLAIN;
        }
        nodes++;
        Position start = new Position(file, line, at - lineStart + 1);
        boolean section = text[at] == '{';
        char close = section ? '}' : ']';
        List<Field> fields = new ArrayList<>(4);
        List<YamlNode> items = new ArrayList<>(4);
        at++;
        skipSpaces();
        while (at >= end || text[at] != close) {
            Position place = new Position(file, line, at - lineStart + 1);
            String key = "";
            if (section) {
                key = word(true);
                boolean colon = at + 1 < end && text[at] == ':' && text[at + 1] == ' ';
                if (!colon || key.length() > KEY_MAX) {
                    throw NOT_PLAIN;
                }
                for (int i = 0; i < fields.size(); i++) {
                    if (fields.get(i).key().equals(key)) {
                        throw NOT_PLAIN;
                    }
                }
                at++;
                skipSpaces();
            }
            YamlNode value;
            if (at < end && (text[at] == '{' || text[at] == '[')) {
                value = flow(depth + 1);
            } else if (depth + 1 > DEPTH_MAX) {
                throw NOT_PLAIN;
            } else {
                Position from = new Position(file, line, at - lineStart + 1);
                value = scalar(from, word(true));
            }
            if (section) {
                fields.add(new Field(place, key, value));
            } else {
                items.add(value);
            }
            skipSpaces();
            boolean more = at < end && text[at] == ',';
            if (more) {
                at++;
                skipSpaces();
            }
            boolean closes = at < end && text[at] == close;
            if (more == closes) {
                throw NOT_PLAIN;
            }
        }
        at++;
        return section
                ? new Fields(start, List.copyOf(fields))
                : new Items(start, List.copyOf(items));
    }

    /// A text in quotes, in which nothing is escaped, or words without them, up to a colon or the
    /// end of the value; [#quoted] tells which.
    ///
    /// It is one method, and a long one, so that the JVM's compiler does not put it into each of
    /// its callers: reading a file once would cost more there than in it.
    private String word(boolean flow) {
        char first = now();
        quoted = first == '"' || first == '\'';
        int from = at;
        if (quoted) {
            at++;
            while (at < end && text[at] != first) {
                char c = text[at];
                if (c < ' ' || c > '~' || (c == '\\' && first == '"')) {
                    throw NOT_PLAIN;
                }
                at++;
            }
            at++;
            if (at > end || now() == first) {
                throw NOT_PLAIN;
            }
            return new String(text, from + 1, at - from - 2);
        }
        boolean begins =
                (first >= 'a' && first <= 'z')
                        || (first >= 'A' && first <= 'Z')
                        || (first >= '0' && first <= '9')
                        || first == '_'
                        || first == '/'
                        || first == '.'
                        || first == '~'
                        || (first == '$' && !flow);
        if (!begins) {
            throw NOT_PLAIN;
        }
        int to = at;
        boolean key = false;
        while (at < end && !key) {
            char c = text[at];
            if (c == '\n' || (c == '#' && text[at - 1] == ' ')) {
                break;
            }
            if (c < ' ' || c > '~') {
                throw NOT_PLAIN;
            }
            if (flow && (c == ',' || c == '}' || c == ']')) {
                break;
            }
            if (flow && (c == '[' || c == '{')) {
                throw NOT_PLAIN;
            }
            if (c == ':') {
                char next = next();
                boolean closes =
                        next == ',' || next == '[' || next == ']' || next == '{' || next == '}';
                if (flow && closes) {
                    throw NOT_PLAIN;
                }
                key = next == ' ' || next == '\n';
            }
            if (!key) {
                at++;
                to = c == ' ' ? to : at;
            }
        }
        if (key && to != at) {
            throw NOT_PLAIN; // "a : b"
        }
        at = to;
        return new String(text, from, to - from);
    }
}
