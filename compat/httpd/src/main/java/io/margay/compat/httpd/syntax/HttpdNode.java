package io.margay.compat.httpd.syntax;

import io.margay.compat.account.Place;
import java.util.List;
import java.util.Locale;

/// A directive or a section of httpd's configuration. Immutable.
///
/// @param name as written, for a section without its brackets
/// @param arguments without their quotes
/// @param children what a section holds; empty for a directive
public record HttpdNode(
        String name,
        List<String> arguments,
        boolean section,
        List<HttpdNode> children,
        Place place) {
    public HttpdNode {
        arguments = List.copyOf(arguments);
        children = List.copyOf(children);
    }

    /// The name without regard to case, which httpd has none of.
    public String key() {
        return name.toLowerCase(Locale.ROOT);
    }

    /// The argument at `index`, or nothing.
    public String argument(int index) {
        return index < arguments.size() ? arguments.get(index) : "";
    }

    public int size() {
        return arguments.size();
    }

    /// The arguments with spaces between them.
    public String text() {
        return String.join(" ", arguments);
    }

    /// Whether the first argument is `On`.
    public boolean isOn() {
        return argument(0).equalsIgnoreCase("on");
    }

    /// How messages call it.
    public String title() {
        return section ? "<" + name + (arguments.isEmpty() ? "" : " " + text()) + ">" : name;
    }
}
