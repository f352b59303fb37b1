package io.margay.servlet.xml;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An element of a descriptor with its position; name spaces are left out. Immutable.
///
/// @param text the character content, trimmed
public record XmlElement(
        String file,
        String name,
        int line,
        int column,
        Map<String, String> attributes,
        List<XmlElement> children,
        String text) {

    public Origin origin() {
        return new Origin(file, line, column, name);
    }

    public @Nullable XmlElement child(String wanted) {
        for (XmlElement child : children) {
            if (child.name.equals(wanted)) {
                return child;
            }
        }
        return null;
    }

    public List<XmlElement> all(String wanted) {
        return children.stream().filter(child -> child.name.equals(wanted)).toList();
    }

    /// The text of a child, null when it is absent or blank.
    public @Nullable String textOf(String wanted) {
        XmlElement child = child(wanted);
        return child == null || child.text.isEmpty() ? null : child.text;
    }

    public boolean has(String wanted) {
        return child(wanted) != null;
    }
}
