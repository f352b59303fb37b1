package io.margay.app.yaml;

import java.util.List;

/// A YAML document as it was written: texts, lists and fields with their positions. Immutable.
sealed interface YamlNode {
    Position position();

    /// A scalar.
    ///
    /// @param plain without quotes, so that it may mean a number, a truth value or nothing
    record Scalar(Position position, String text, boolean plain) implements YamlNode {
        /// Whether nothing was written: `key:`, `key: ~`, `key: null`.
        boolean isNull() {
            return plain && (text.isEmpty() || text.equals("~") || text.equals("null"));
        }
    }

    /// A sequence.
    record Items(Position position, List<YamlNode> nodes) implements YamlNode {}

    /// A sequence whose entries were read apart, some of them before.
    record Listed(Position position, List<ListedFile.Read> entries) implements YamlNode {}

    /// A mapping, in the order of the file, without duplicates.
    record Fields(Position position, List<Field> fields) implements YamlNode {}

    /// A value that was reported as a problem already; it fits every shape.
    record Broken(Position position) implements YamlNode {}

    /// One key and its value.
    record Field(Position position, String key, YamlNode value) {}

    /// What this node is, for messages.
    default String kind() {
        return switch (this) {
            case Scalar scalar -> scalar.isNull() ? "nothing" : "\"" + scalar.text() + "\"";
            case Items _, Listed _ -> "a list";
            case Fields _ -> "a section";
            case Broken _ -> "a wrong value";
        };
    }
}
