package io.margay.app.yaml;

import io.margay.app.yaml.YamlNode.Broken;
import io.margay.app.yaml.YamlNode.Field;
import io.margay.app.yaml.YamlNode.Fields;
import io.margay.app.yaml.YamlNode.Items;
import io.margay.app.yaml.YamlNode.Listed;
import io.margay.compat.account.Masked;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The values that a file gives, each by the path of its key, as operators may see them: without
/// secrets, and with variables by their names. Immutable once made.
public final class Outline {
    /// What stands for a secret.
    public static final String HIDDEN = "(secret)";

    /// Values at most, as many as a file can have.
    private static final int VALUES_MAX = YamlParser.NODES_MAX;

    private static final int TEXT_MAX = 400;

    /// What an entry of a list is called by: the first of these that it has.
    private static final List<String> NAMES =
            List.of("name", "names", "http", "https", "ajp", "url", "file", "match", "path");

    /// The value of an unknown key, which is not shown.
    private static final Shape UNKNOWN = new Shape.Section("unknown", List.of(), List.of());

    /// Names of header fields and parameters whose values are secrets.
    private static final Pattern CREDENTIAL =
            Pattern.compile(
                    ".*(auth|cookie|token|secret|passw|pwd|api.?key|credential).*",
                    Pattern.CASE_INSENSITIVE);

    private final Map<String, Value> values = new LinkedHashMap<>();
    private final boolean withAbsent;

    private Outline(boolean withAbsent) {
        this.withAbsent = withAbsent;
    }

    /// A value that was given.
    ///
    /// @param written as it was written, to be compared and never to be shown
    private record Value(Shown shown, String written, boolean atStart) {}

    /// A value as it may be shown.
    ///
    /// @param path of its key, such as `hosts[shop.example].access-log.file`
    /// @param line of the file, from 1 on; 0 = it is not given
    /// @param text without what is secret
    /// @param otherwise what holds where the key is not given, in words; empty = it must be given
    public record Shown(String path, int line, String text, String otherwise) {}

    /// What differs between two files.
    ///
    /// @param line of the later one; 0 = it has no such value
    /// @param before the text; empty = there was none
    /// @param after the text; empty = there is none
    /// @param otherwise what holds where the key is not given, in words
    /// @param atStart whether only a start reads it
    public record Change(
            String path,
            int line,
            String before,
            String after,
            String otherwise,
            boolean atStart) {}

    /// Where a value stands, and what is known of its key.
    private record Place(String path, Shape shape, String otherwise, boolean atStart) {
        Place within(String step, Shape of) {
            return new Place(path + step, of, otherwise, atStart);
        }
    }

    /// Of a text in the form of `margay.yaml`; empty where that makes no sense.
    ///
    /// @param withAbsent whether keys are listed as well that its sections do not give
    public static Outline of(String text, Shape.Section shape, boolean withAbsent) {
        Outline outline = new Outline(withAbsent);
        YamlNode root = new YamlParser("", Environment.AS_WRITTEN, new ArrayList<>()).parse(text);
        if (root != null) {
            outline.add(root, new Place("", shape, "", false));
        }
        return outline;
    }

    /// What is active after a reload of this: what only a start reads is as it was then.
    public Outline after(Outline start) {
        Outline both = new Outline(withAbsent);
        values.forEach((path, value) -> {
            Value then = value.atStart ? start.values.get(path) : value;
            if (then != null) {
                both.values.put(path, then);
            }
        });
        start.values.forEach((path, value) -> {
            if (value.atStart) {
                both.values.putIfAbsent(path, value);
            }
        });
        return both;
    }

    /// How many values there are.
    public int size() {
        return values.size();
    }

    /// Those of which path or text contains a word, in the order of the file.
    ///
    /// @param word in lower case; empty = all
    public List<Shown> find(String word, int most) {
        return values.values().stream()
                .map(Value::shown)
                .filter(one ->
                        word.isEmpty()
                                || (one.path + "\n" + one.text)
                                        .toLowerCase(Locale.ROOT)
                                        .contains(word))
                .limit(most)
                .toList();
    }

    /// What a later file would change, in its order; then what it would take away.
    public List<Change> changes(Outline later, int most) {
        List<Change> changes = new ArrayList<>();
        later.values.forEach((path, now) -> {
            Value before = values.get(path);
            if (before == null) {
                changes.add(change(now, now.shown.line, "", now.shown.text));
            } else if (!before.written.equals(now.written)) {
                boolean alike = before.shown.text.equals(now.shown.text);
                String after = alike ? "another " + now.shown.text : now.shown.text;
                changes.add(change(now, now.shown.line, before.shown.text, after));
            }
        });
        values.forEach((path, before) -> {
            if (!later.values.containsKey(path)) {
                changes.add(change(before, 0, before.shown.text, ""));
            }
        });
        return List.copyOf(changes.subList(0, Math.min(most, changes.size())));
    }

    private static Change change(Value of, int line, String before, String after) {
        return new Change(of.shown.path, line, before, after, of.shown.otherwise, of.atStart);
    }

    private void add(YamlNode node, Place at) {
        Shape shape = at.shape;
        if (shape instanceof Shape.Items list && list.orOne() && !(node instanceof Items)) {
            shape = list.item();
        }
        switch (node) {
            case Fields fields when !fields.fields().isEmpty() -> {
                boolean hides = namesCredential(fields);
                for (Field field : fields.fields()) {
                    Place place = below(at, shape, field);
                    boolean hidden = hides && field.key().equals("value");
                    add(field.value(), hidden ? place.within("", UNKNOWN) : place);
                }
                if (withAbsent && shape instanceof Shape.Section section) {
                    absent(fields, at, section);
                }
            }
            case Items items when items.nodes().stream().anyMatch(one -> one instanceof Fields) ->
                    entries(items, at, shape instanceof Shape.Items of ? of.item() : UNKNOWN);
            case Fields _ -> put(at, node, "{}", "{}");
            case Items items -> words(items, at, shape);
            case YamlNode.Scalar scalar ->
                    put(at, node, scalar.text(), shown(scalar.text(), shape));
            case Broken _, Listed _ -> put(at, node, "", "(wrong)");
        }
    }

    /// What holds for the keys of a section that it does not give.
    private void absent(Fields fields, Place at, Shape.Section section) {
        Set<String> given = new HashSet<>();
        fields.fields().forEach(field -> given.add(field.key()));
        for (Shape.Key key : section.keys()) {
            boolean is =
                    given.contains(key.name()) || key.aliases().stream().anyMatch(given::contains);
            boolean can = !key.required() && !section.exactlyOne().contains(key.name());
            String words = is || !can ? "" : key.byDefault();
            if (!words.isEmpty() && values.size() < VALUES_MAX) {
                String path = at.path.isEmpty() ? key.name() : at.path + "." + key.name();
                values.put(path, new Value(new Shown(path, 0, "", words), "", at.atStart));
            }
        }
    }

    /// The place of a key of a section.
    private static Place below(Place at, Shape shape, Field field) {
        String path = at.path.isEmpty() ? field.key() : at.path + "." + field.key();
        if (shape instanceof Shape.Named named) {
            boolean hidden =
                    named.value() instanceof Shape.Scalar
                            && CREDENTIAL.matcher(field.key()).matches();
            return new Place(path, hidden ? UNKNOWN : named.value(), at.otherwise, at.atStart);
        }
        if (shape instanceof Shape.Section section) {
            for (Shape.Key key : section.keys()) {
                if (key.name().equals(field.key()) || key.aliases().contains(field.key())) {
                    boolean atStart = at.atStart || key.meaning().contains("read at start only");
                    return new Place(path, key.shape(), key.byDefault(), atStart);
                }
            }
        }
        return new Place(path, UNKNOWN, "", at.atStart);
    }

    /// Whether a section is about a field such as `Authorization`.
    private static boolean namesCredential(Fields fields) {
        return fields.fields().stream()
                .anyMatch(field ->
                        field.value() instanceof YamlNode.Scalar scalar
                                && CREDENTIAL.matcher(scalar.text()).matches());
    }

    /// A list of sections, each by what it is called.
    private void entries(Items items, Place at, Shape shape) {
        Map<String, Integer> seen = new HashMap<>();
        for (YamlNode node : items.nodes()) {
            String name = node instanceof Fields fields ? name(fields, shape) : "";
            int times = seen.merge(name, 1, Integer::sum);
            String step = times > 1 || name.isEmpty() ? name + "#" + times : name;
            add(node, at.within("[" + step + "]", shape));
        }
    }

    private static String name(Fields fields, Shape shape) {
        for (String name : NAMES) {
            for (Field field : fields.fields()) {
                if (field.key().equals(name)) {
                    YamlNode value = field.value();
                    YamlNode first =
                            value instanceof Items items && !items.nodes().isEmpty()
                                    ? items.nodes().getFirst()
                                    : value;
                    if (first instanceof YamlNode.Scalar scalar) {
                        Place place = below(new Place("", shape, "", false), shape, field);
                        return shown(scalar.text(), place.shape);
                    }
                }
            }
        }
        return "";
    }

    /// A list of words, as one value.
    private void words(Items items, Place at, Shape shape) {
        Shape item = shape instanceof Shape.Items of ? of.item() : shape;
        List<String> written = new ArrayList<>();
        List<String> shown = new ArrayList<>();
        for (YamlNode node : items.nodes()) {
            String text = node instanceof YamlNode.Scalar scalar ? scalar.text() : "…";
            written.add(text);
            shown.add(shown(text, item));
        }
        put(at, items, String.join("\n", written), cut("[" + String.join(", ", shown) + "]"));
    }

    /// A text as it may be shown. Where nobody knows the key, it may be one that is misspelt.
    private static String shown(String text, Shape shape) {
        Shape of = shape instanceof Shape.Items list ? list.item() : shape;
        return of instanceof Shape.Scalar scalar && !scalar.secret()
                ? cut(Masked.text(text))
                : HIDDEN;
    }

    private static String cut(String text) {
        return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "…";
    }

    private void put(Place at, YamlNode node, String written, String shown) {
        if (values.size() < VALUES_MAX) {
            Shown value = new Shown(at.path, node.position().line(), shown, at.otherwise);
            values.put(at.path, new Value(value, written, at.atStart));
        }
    }
}
