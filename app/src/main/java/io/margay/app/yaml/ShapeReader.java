package io.margay.app.yaml;

import io.margay.app.yaml.YamlNode.Broken;
import io.margay.app.yaml.YamlNode.Field;
import io.margay.app.yaml.YamlNode.Fields;
import io.margay.compat.account.Masked;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Compares a document with its shape and collects everything that does not fit. Used by one
/// thread.
public final class ShapeReader {
    private final List<Problem> problems;

    /// What is looked up of each kind of section: files with thousands of hosts have each as often.
    private final IdentityHashMap<Shape.Section, Known> known = new IdentityHashMap<>();

    /// The keys of a section.
    private record Known(Map<String, Shape.Key> byName, List<Shape.Key> required) {
        static Known of(Shape.Section shape) {
            Map<String, Shape.Key> byName = new HashMap<>();
            shape.keys()
                    .forEach(key -> {
                        byName.put(key.name(), key);
                        key.aliases().forEach(alias -> byName.put(alias, key));
                    });
            return new Known(byName, shape.keys().stream().filter(Shape.Key::required).toList());
        }
    }

    /// What was made of the entries of the list that is read apart, by how they are written.
    private final Map<String, KnownEntries.Known> made = new HashMap<>();

    private ShapeReader(List<Problem> problems) {
        this.problems = problems;
    }

    /// Reads a file.
    ///
    /// @param name how problems call the file
    /// @param problems receives what is wrong
    /// @return what fits; empty when nothing can be made of it
    public static Optional<Settings> read(
            Path path,
            String name,
            Shape.Section shape,
            Map<String, String> variables,
            List<Problem> problems) {
        try {
            return parse(Files.readString(path), name, shape, variables, problems);
        } catch (CharacterCodingException e) {
            problems.add(new Problem(new Position(name, 1, 1), "is not UTF-8 text"));
        } catch (IOException e) {
            problems.add(
                    new Problem(new Position(name, 1, 1), "cannot be read: " + e.getMessage()));
        }
        return Optional.empty();
    }

    /// Reads a text. See [#read].
    public static Optional<Settings> parse(
            String text,
            String name,
            Shape.Section shape,
            Map<String, String> variables,
            List<Problem> problems) {
        int before = problems.size();
        YamlNode root = new YamlParser(name, new Environment(variables), problems).parse(text);
        if (root == null) {
            if (problems.size() > before) {
                return Optional.empty();
            }
            root = new Fields(new Position(name, 1, 1), List.of());
        }
        Object value = new ShapeReader(problems).convert(root, shape, "the file");
        return Optional.ofNullable((Settings) value);
    }

    /// Reads a file of which something may be known already. See [#read].
    ///
    /// @param known what was made of the entries of its long list, which is made anew where that
    ///   fits no more; unused where there are problems, whose places belong to the whole file
    /// @return empty when it is to be read whole, which tells what is wrong
    public static Optional<Settings> reread(
            Path path,
            String name,
            Shape.Section shape,
            Map<String, String> variables,
            KnownEntries known) {
        known.begin(variables);
        try {
            String text = Files.readString(path);
            ListedFile parts =
                    text.length() > YamlParser.CHARACTERS_MAX
                            ? null
                            : ListedFile.of(name, text, known.key(), new Environment(variables));
            Optional<Settings> read = parts == null ? Optional.empty() : read(parts, shape, known);
            if (read.isEmpty()) {
                known.forget();
            }
            return read;
        } catch (IOException e) {
            return Optional.empty(); // Reading it whole says so.
        }
    }

    private static Optional<Settings> read(
            ListedFile parts, Shape.Section shape, KnownEntries known) {
        YamlNode root = parts.read(known);
        if (root == null) {
            return Optional.empty();
        }
        List<Problem> problems = new ArrayList<>();
        ShapeReader reader = new ShapeReader(problems);
        Object value = reader.convert(root, shape, "the file");
        if (!problems.isEmpty() || !(value instanceof Settings settings)) {
            return Optional.empty();
        }
        known.replace(parts.frame(), reader.made);
        return Optional.of(settings);
    }

    private @Nullable Object convert(YamlNode node, Shape shape, String what) {
        if (node instanceof Broken) {
            return null;
        }
        return switch (shape) {
            case Shape.Scalar scalar -> scalar(node, scalar, what);
            case Shape.Items items -> items(node, items, what);
            case Shape.Section section -> section(node, section, what);
            case Shape.Named named -> named(node, named, what);
        };
    }

    private @Nullable Object scalar(YamlNode node, Shape.Scalar shape, String what) {
        if (!(node instanceof YamlNode.Scalar scalar) || scalar.isNull()) {
            return wrong(node, what, shape.says());
        }
        try {
            return shape.parse().apply(scalar.text());
        } catch (IllegalArgumentException | ArithmeticException e) {
            String detail = e.getMessage() == null ? "" : e.getMessage();
            boolean whole = Masked.text(scalar.text()).equals(scalar.text());
            String hint = "";
            if (detail.isEmpty() && !shape.choices().isEmpty()) {
                hint =
                        Nearest.of(scalar.text(), shape.choices())
                                .map(near -> "; did you mean \"" + near + "\"?")
                                .orElse("");
            } else if (!detail.isEmpty() && (whole || !detail.contains("\""))) {
                hint = ": " + detail; // What it quotes may be a part of what is not shown.
            }
            String given = ", not \"" + scalar.text() + "\"" + hint;
            problem(
                    node.position(),
                    what + " must be " + shape.says() + (shape.secret() ? "" : given));
            return null;
        }
    }

    private @Nullable Object items(YamlNode node, Shape.Items shape, String what) {
        if (node instanceof YamlNode.Listed listed) {
            return listed(listed, shape, what);
        }
        if (!(node instanceof YamlNode.Items items)) {
            if (shape.orOne()) {
                Object value = convert(node, shape.item(), what);
                return value == null ? null : List.of(value);
            }
            return wrong(node, what, "a list of " + shape.says());
        }
        if (items.nodes().size() < shape.min()) {
            problem(node.position(), what + " must have at least " + shape.min() + " item");
        }
        List<Object> values = new ArrayList<>();
        for (YamlNode item : items.nodes()) {
            Object value = convert(item, shape.item(), "each item of " + what);
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    private List<Object> listed(YamlNode.Listed node, Shape.Items shape, String what) {
        List<Object> values = new ArrayList<>(node.entries().size());
        for (ListedFile.Read entry : node.entries()) {
            KnownEntries.Known known = entry.known();
            YamlNode written = entry.node();
            if (known == null && written != null) {
                Object value = convert(written, shape.item(), "each item of " + what);
                known = value == null ? null : new KnownEntries.Known(value, entry.nodes());
            }
            if (known != null) {
                made.put(entry.text(), known);
                values.add(known.made());
            }
        }
        return values;
    }

    private @Nullable Object section(YamlNode node, Shape.Section shape, String what) {
        if (!(node instanceof Fields fields)) {
            return wrong(node, what, "a section with the keys " + String.join(", ", shape.names()));
        }
        Map<String, Shape.Key> keys = known.computeIfAbsent(shape, Known::of).byName;
        Settings settings = new Settings(node.position());
        boolean all = true;
        for (Field field : fields.fields()) {
            Shape.Key key = keys.get(field.key());
            all &= key != null;
            if (key == null) {
                problem(
                        field.position(),
                        "unknown key \""
                                + field.key()
                                + "\" in "
                                + shape.says()
                                + Nearest.hint(field.key(), shape.names()));
            } else {
                if (settings.isGiven(key.name())) {
                    String same = quote(field.key()) + " is given, too: both are " + key.name();
                    problem(field.position(), same);
                }
                Object value = convert(field.value(), key.shape(), quote(field.key()));
                put(settings, key.name(), field.position(), value);
            }
        }
        if (!all || !isComplete(settings, shape)) {
            Set<String> given = new HashSet<>();
            fields.fields()
                    .forEach(field -> {
                        Shape.Key key = keys.get(field.key());
                        given.add(key == null ? field.key() : key.name());
                    });
            missing(node.position(), shape, given);
        }
        return settings;
    }

    /// Whether all is there that a section needs, as in most of thousands.
    private boolean isComplete(Settings settings, Shape.Section shape) {
        for (Shape.Key key : known.computeIfAbsent(shape, Known::of).required) {
            if (!settings.isGiven(key.name())) {
                return false;
            }
        }
        int chosen = 0;
        for (String key : shape.exactlyOne()) {
            chosen += settings.isGiven(key) ? 1 : 0;
        }
        return shape.exactlyOne().isEmpty() || chosen == 1;
    }

    private void missing(Position position, Shape.Section shape, Set<String> given) {
        for (Shape.Key key : known.computeIfAbsent(shape, Known::of).required) {
            if (!given.contains(key.name())) {
                problem(position, shape.says() + " needs the key \"" + key.name() + "\"");
            }
        }
        List<String> choice = shape.exactlyOne();
        if (choice.isEmpty()) {
            return;
        }
        List<String> chosen = choice.stream().filter(given::contains).toList();
        if (chosen.isEmpty()) {
            problem(position, shape.says() + " needs one of the keys " + String.join(", ", choice));
        } else if (chosen.size() > 1) {
            problem(
                    position,
                    shape.says() + " can have only one of the keys " + String.join(", ", chosen));
        }
    }

    private @Nullable Object named(YamlNode node, Shape.Named shape, String what) {
        if (!(node instanceof Fields fields)) {
            return wrong(node, what, "a section of " + shape.says());
        }
        Settings settings = new Settings(node.position());
        for (Field field : fields.fields()) {
            YamlNode key = new YamlNode.Scalar(field.position(), field.key(), false);
            if (scalar(key, shape.key(), "a key of " + what) != null) {
                Object value = convert(field.value(), shape.value(), quote(field.key()));
                put(settings, field.key(), field.position(), value);
            }
        }
        return settings;
    }

    private static String quote(String key) {
        return "\"" + key + "\"";
    }

    private static void put(Settings settings, String key, Position at, @Nullable Object value) {
        if (value != null) {
            settings.put(key, at, value);
        } else {
            settings.wrong(key, at);
        }
    }

    private @Nullable Object wrong(YamlNode node, String what, String wanted) {
        problem(node.position(), what + " must be " + wanted + ", not " + node.kind());
        return null;
    }

    private void problem(Position position, String message) {
        problems.add(new Problem(position, message));
    }
}
