package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine;
import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.account.Place;
import io.margay.servlet.xml.XmlElement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// What becomes of each element and attribute: what the reading has said of it, else what the table
/// says. Confined to one reading.
final class ElementAccount {
    private final AttributeVerdicts verdicts = AttributeVerdicts.read();
    private final List<AccountLine> lines = new ArrayList<>();
    private final Set<String> told = new HashSet<>();

    /// Tells what becomes of an element.
    void tell(XmlElement element, Verdict verdict, String text) {
        told.add(key(element, ""));
        lines.add(
                new AccountLine(
                        new Place(element.file(), element.line()), name(element), verdict, text));
    }

    /// Tells what becomes of an attribute.
    void tell(XmlElement element, String attribute, Verdict verdict, String text) {
        told.add(key(element, attribute));
        lines.add(
                new AccountLine(
                        new Place(element.file(), element.line()),
                        name(element) + " " + attribute,
                        verdict,
                        text));
    }

    /// What the table says of an attribute.
    AttributeVerdicts.Entry entry(XmlElement element, String attribute) {
        return verdicts.of(element, attribute, element.attributes().getOrDefault(attribute, ""));
    }

    /// Tells of a file, or of a line of one.
    void tell(String file, int line, String what, Verdict verdict, String text) {
        lines.add(new AccountLine(new Place(file, line), what, verdict, text));
    }

    /// Tells of everything of which nobody has told, by the table.
    void rest(XmlElement element) {
        if (!told.contains(key(element, ""))) {
            AttributeVerdicts.Entry entry = verdicts.of(element);
            tell(element, entry.verdict(), entry.text());
        }
        new TreeMap<>(element.attributes())
                .forEach((name, value) -> {
                    AttributeVerdicts.Entry entry = verdicts.of(element, name, value);
                    boolean named =
                            name.equals("className")
                                    && isNamedByClass(element)
                                    && !verdicts.isStrange(element, entry);
                    if (!told.contains(key(element, name)) && !named) {
                        tell(element, name, entry.verdict(), entry.text());
                    }
                });
        element.children().forEach(this::rest);
    }

    /// Whether the element's own line names its class.
    private static boolean isNamedByClass(XmlElement element) {
        return !AttributeVerdicts.section(element).equals(element.name());
    }

    List<AccountLine> lines() {
        return List.copyOf(lines);
    }

    private static String name(XmlElement element) {
        String section = AttributeVerdicts.section(element);
        String name = element.attributes().getOrDefault("name", "");
        return section.equals(element.name()) && element.name().equals("Resource")
                ? section + " " + name
                : section;
    }

    private static String key(XmlElement element, String attribute) {
        return element.file() + ":" + element.line() + ":" + element.column() + " " + attribute;
    }
}
