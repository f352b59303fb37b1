package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.servlet.xml.XmlElement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The table `attributes.txt`: what becomes of each element and attribute of Tomcat's configuration
/// reference. Immutable.
public final class AttributeVerdicts {
    private static final Pattern LINE =
            Pattern.compile(
                    "(?<names>[^{:]+?)(?: \\{(?<same>[^}]*)})?:"
                            + " (?<verdict>honoured|noted|changed|wrong)(?:\\. (?<text>.*))?");
    private static final String ELEMENT = "(element)";

    /// Elements of which each class has its own section, since it may close what must stay closed.
    private static final Set<String> BY_CLASS = Set.of("Valve", "Realm");

    private final Map<String, Map<String, Entry>> sections;

    /// What becomes of an attribute.
    ///
    /// @param same values, in lower case, that say what is done here anyhow; null = none
    record Entry(Verdict verdict, String text, @Nullable Set<String> same) {
        Entry of(String value) {
            return same != null && same.contains(value.toLowerCase(Locale.ROOT))
                    ? new Entry(Verdict.NOTED, "it is so here", null)
                    : this;
        }
    }

    private AttributeVerdicts(Map<String, Map<String, Entry>> sections) {
        this.sections = sections;
    }

    /// Reads the table.
    public static AttributeVerdicts read() {
        try (InputStream in =
                Objects.requireNonNull(
                        AttributeVerdicts.class.getResourceAsStream("attributes.txt"))) {
            return of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static AttributeVerdicts of(String text) {
        Map<String, Map<String, Entry>> sections = new HashMap<>();
        Map<String, Entry> section = Map.of();
        for (String line : text.lines().toList()) {
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (line.startsWith("[")) {
                section =
                        sections.computeIfAbsent(
                                line.substring(1, line.length() - 1), _ -> new HashMap<>());
                continue;
            }
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw new IllegalStateException("attributes.txt: " + line);
            }
            String same = matcher.group("same");
            String said = matcher.group("text");
            Entry entry =
                    new Entry(
                            Verdict.valueOf(matcher.group("verdict").toUpperCase(Locale.ROOT)),
                            said == null ? "honoured" : said,
                            same == null
                                    ? null
                                    : Set.of(same.toLowerCase(Locale.ROOT).split("\\|", -1)));
            for (String name : matcher.group("names").split(" ")) {
                if (section.put(name, entry) != null) {
                    throw new IllegalStateException("attributes.txt: twice: " + name);
                }
            }
        }
        return new AttributeVerdicts(sections);
    }

    /// What becomes of an element itself.
    Entry of(XmlElement element) {
        Map<String, Entry> own = sections.get(section(element));
        if (own == null && !BY_CLASS.contains(element.name())) {
            own = sections.get(element.name());
        }
        Entry found = own == null ? null : own.get(ELEMENT);
        if (found != null) {
            return found;
        }
        return switch (element.name()) {
            case "Valve" ->
                    new Entry(
                            Verdict.WRONG,
                            "is not known, and may restrict access; remove it, or put"
                                    + " RemoteCIDRValve or a security-constraint in its place",
                            null);
            case "Realm" ->
                    new Entry(
                            Verdict.WRONG,
                            "is not known, so that nobody could log in; use UserDatabaseRealm,"
                                    + " DataSourceRealm or JNDIRealm",
                            null);
            default -> new Entry(Verdict.CHANGED, "is not known, and is ignored", null);
        };
    }

    /// What becomes of an attribute.
    Entry of(XmlElement element, String attribute, String value) {
        Entry found = find(section(element), attribute);
        found = found == null ? find(element.name(), attribute) : found;
        return found == null
                ? new Entry(Verdict.CHANGED, "is not in Tomcat's reference, and is ignored", null)
                : found.of(value);
    }

    /// Whether an element is of a class of which the table says nothing, while it says of others
    /// that they are those that are here anyhow.
    ///
    /// @param className what becomes of the attribute that names the class
    boolean isStrange(XmlElement element, Entry className) {
        return className.same() != null && !sections.containsKey(section(element));
    }

    /// Whether there is a line for an attribute.
    ///
    /// @param section as in the table: `Element` or `Element Class`
    public boolean has(String section, String attribute) {
        int blank = section.indexOf(' ');
        return find(section, attribute) != null
                || (blank > 0 && find(section.substring(0, blank), attribute) != null);
    }

    private @Nullable Entry find(String section, String attribute) {
        Map<String, Entry> entries = sections.getOrDefault(section, Map.of());
        Entry found = entries.get(attribute);
        int dot = attribute.indexOf('.');
        if (found == null && dot > 0) {
            found = entries.get(attribute.substring(0, dot) + ".*");
        }
        if (found == null && attribute.startsWith("clearReferences")) {
            found = entries.get("clearReferences*");
        }
        return found == null ? entries.get("*") : found;
    }

    /// The section of an element, by its class if it has one of Tomcat's.
    static String section(XmlElement element) {
        String className = element.attributes().getOrDefault("className", "");
        if (className.isEmpty()) {
            return element.name();
        }
        return className.startsWith("org.apache.")
                ? element.name() + " " + simple(className)
                : element.name() + " " + className;
    }

    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }
}
