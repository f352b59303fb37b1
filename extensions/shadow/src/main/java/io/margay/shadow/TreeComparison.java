package io.margay.shadow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Comment;
import org.jsoup.nodes.DataNode;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.nodes.XmlDeclaration;

/// Compares two documents as trees: neither the order of attributes and classes nor comments nor
/// blanks between words say anything. Confined to its owner.
final class TreeComparison {
    /// Deeper elements are compared by their text; as deep as anybody nests, and no stack is full.
    private static final int DEPTH_MAX = 150;

    /// Elements of a place, from the last one.
    private static final int STEPS_MAX = 6;

    private static final String TYPED = "(what is typed into a form is not shown)";
    private static final int NAME_CHARS_MAX = 40;

    private static final Set<String> FORM_FIELDS = Set.of("input", "textarea", "option", "select");
    private static final Set<String> VALUES = Set.of("value", "selected", "checked");

    private final Found found;
    private final Map<Node, Long> hashes = new HashMap<>();

    private TreeComparison(Found found) {
        this.found = found;
    }

    static void compare(Document old, Document fresh, Found found) {
        new TreeComparison(found).children("", old, fresh, 0);
    }

    // Which nodes belong together

    /// What is compared of an element's content.
    private static List<Node> content(Element element) {
        List<Node> content = new ArrayList<>();
        for (Node child : element.childNodes()) {
            boolean says =
                    switch (child) {
                        case Comment _ -> false;
                        case XmlDeclaration _ -> false;
                        case TextNode text -> !text.isBlank();
                        default -> true;
                    };
            if (says) {
                content.add(child);
            }
        }
        return content;
    }

    /// The same for nodes in which nothing differs.
    private long hash(Node node, int depth) {
        Long known = hashes.get(node);
        if (known != null) {
            return known;
        }
        long hash;
        if (node instanceof Element element && depth < DEPTH_MAX) {
            hash = kind(node);
            for (String name : names(element)) {
                hash = 31 * hash + name.hashCode() + 7L * value(element, name).hashCode();
            }
            for (Node child : content(element)) {
                hash = 1_000_003 * hash + hash(child, depth + 1);
            }
        } else {
            hash = 13L * kind(node) + text(node).hashCode();
        }
        hashes.put(node, hash);
        return hash;
    }

    private static long kind(Node node) {
        return node instanceof Element element
                ? step(element).hashCode()
                : node.nodeName().hashCode();
    }

    private void children(String place, Element old, Element fresh, int depth) {
        List<Alignment.Pair<Node>> pairs =
                Alignment.of(
                        content(old),
                        content(fresh),
                        node -> hash(node, depth + 1),
                        TreeComparison::kind);
        for (Alignment.Pair<Node> pair : pairs) {
            if (found.isFull()) {
                return;
            }
            Node left = pair.old();
            Node right = pair.fresh();
            if (left != null && right != null) {
                both(place, left, right, depth + 1);
            } else if (left != null) {
                found.add(Kind.MISSING, at(place, left), shown(left), "");
            } else if (right != null) {
                found.add(Kind.ADDED, at(place, right), "", shown(right));
            }
        }
    }

    // Two nodes of the same kind

    private void both(String place, Node old, Node fresh, int depth) {
        String at = at(place, old);
        if (old instanceof Element left && fresh instanceof Element right) {
            attributes(at, left, right);
            if (depth < DEPTH_MAX) {
                children(at, left, right, depth);
                return;
            }
        }
        String left = text(old);
        String right = text(fresh);
        if (left.equals(right)) {
            return;
        }
        if (isTyped(old)) {
            found.addSecret(Kind.CHANGED, at, TYPED);
        } else {
            found.add(Kind.CHANGED, at, left, right);
        }
    }

    private void attributes(String at, Element old, Element fresh) {
        TreeSet<String> names = new TreeSet<>(names(old));
        names.addAll(names(fresh));
        for (String name : names) {
            String place = at + " @" + name;
            if (!fresh.hasAttr(name)) {
                attribute(Kind.MISSING, place, old, name, value(old, name), "");
            } else if (!old.hasAttr(name)) {
                attribute(Kind.ADDED, place, fresh, name, "", value(fresh, name));
            } else if (!value(old, name).equals(value(fresh, name))) {
                attribute(Kind.CHANGED, place, old, name, value(old, name), value(fresh, name));
            }
        }
    }

    private void attribute(
            Kind kind, String place, Element of, String name, String old, String fresh) {
        if (FORM_FIELDS.contains(of.normalName()) && VALUES.contains(name)) {
            found.addSecret(kind, place, TYPED);
        } else {
            found.add(kind, place, Shown.url(old), Shown.url(fresh));
        }
    }

    private static TreeSet<String> names(Element element) {
        TreeSet<String> names = new TreeSet<>();
        for (Attribute each : element.attributes()) {
            names.add(each.getKey());
        }
        return names;
    }

    /// What an attribute says; the same for all that is made for one session or one request.
    private static String value(Element element, String name) {
        String value = element.attr(name);
        if (name.equals("class")) {
            return String.join(" ", new TreeSet<>(Arrays.asList(value.strip().split("\\s+", -1))));
        }
        String of = element.attr("name");
        boolean secret =
                Shown.isSecret(name)
                        || (name.equals("value")
                                && element.normalName().equals("input")
                                && (Shown.isSecret(of) || Shown.isSecret(element.id())))
                        || (name.equals("content")
                                && element.normalName().equals("meta")
                                && Shown.isSecret(of));
        if (secret) {
            return value.isEmpty() ? "" : "(not shown)";
        }
        return Shown.withoutSessions(value.strip());
    }

    private static String text(Node node) {
        return switch (node) {
            case TextNode text -> words(text.getWholeText());
            case DataNode data -> words(Shown.withoutSecrets(data.getWholeData()));
            case Element element -> words(element.wholeText());
            default -> node.outerHtml().strip();
        };
    }

    private static String words(String text) {
        return Shown.withoutSessions(text).replaceAll("\\s+", " ").strip();
    }

    /// Whether it is the text of a field of a form.
    private static boolean isTyped(Node node) {
        Node parent = node.parent();
        return parent instanceof Element element && FORM_FIELDS.contains(element.normalName());
    }

    private static String shown(Node node) {
        if (isTyped(node)) {
            return TYPED;
        }
        return node instanceof Element element ? "<" + step(element) + ">" : text(node);
    }

    // Places

    private static String at(String place, Node node) {
        String step =
                switch (node) {
                    case Element element -> step(element);
                    case TextNode _ -> "(text)";
                    case DataNode _ -> "(text)";
                    default -> node.nodeName();
                };
        String whole = place.isEmpty() ? step : place + " > " + step;
        String[] steps = whole.split(" > ", -1);
        return steps.length <= STEPS_MAX
                ? whole
                : "… > "
                        + String.join(
                                " > ",
                                Arrays.asList(steps)
                                        .subList(steps.length - STEPS_MAX, steps.length));
    }

    /// An element by what tells it from others, without what is one of many.
    private static String step(Element element) {
        StringBuilder step = new StringBuilder(element.normalName().toLowerCase(Locale.ROOT));
        String id = element.id();
        if (!id.isEmpty() && id.chars().noneMatch(Character::isDigit)) {
            step.append('#').append(cut(id));
        }
        String name = element.attr("name");
        if (!name.isEmpty()) {
            step.append('[').append(cut(PathPattern.part(name))).append(']');
        }
        return step.toString();
    }

    private static String cut(String name) {
        return name.length() <= NAME_CHARS_MAX ? name : name.substring(0, NAME_CHARS_MAX);
    }
}
