package io.margay.app.config.binding;

import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The one description of a section of `margay.yaml`: each key with its form, its meaning, and the
/// component of the record that it is. What holds by default is taken from the record. Shape,
/// reader, writer, schema and reference come from it. Immutable.
///
/// @param <R> the record
/// @param <B> what builds it
public final class Binding<R, B> implements Keys<R> {
    private static final Pattern LINES = Pattern.compile("\n(?! )");
    private static final Pattern CONTINUED = Pattern.compile("\\s*\n\\s+");
    private static final Pattern ROW =
            Pattern.compile(
                    "([a-z0-9-]+)(?: \\((\\w+)(?: (\\w+))?\\))?"
                            + "(?: <(.*?)>)?(?: \\[(.*?)\\])?:"
                            + " (.*)");

    private final String says;
    private final R defaults;
    private final Function<R, B> edit;
    private final Function<B, R> build;
    private final List<Part<R, B, ?>> parts = new ArrayList<>();
    private final Map<String, String> aliases = new HashMap<>();
    private final Map<String, Form<?>> forms = new HashMap<>();
    private final List<BiConsumer<Settings, Reading>> rules = new ArrayList<>();
    private final List<String> exactlyOne = new ArrayList<>();
    private @Nullable Refusal refusal;

    /// The keys, once they have been asked for.
    private @Nullable List<Shape.Key> shapes;

    /// What is said when the record cannot be.
    private record Refusal(String key, String message) {}

    /// A part of the record.
    private sealed interface Part<R, B, V> {
        Stream<Shape.Key> shapes(R defaults);

        void read(Settings section, R otherwise, B to, Reading reading);

        void write(R value, R otherwise, Map<String, Object> to);
    }

    private Binding(String says, R defaults, Function<R, B> edit, Function<B, R> build) {
        this.says = says;
        this.defaults = defaults;
        this.edit = edit;
        this.build = build;
    }

    /// The same with a change, which nobody else has seen yet.
    private Binding<R, B> with(Consumer<Binding<R, B>> change) {
        Binding<R, B> copy = new Binding<>(says, defaults, edit, build);
        copy.parts.addAll(parts);
        copy.aliases.putAll(aliases);
        copy.forms.putAll(forms);
        copy.rules.addAll(rules);
        copy.exactlyOne.addAll(exactlyOne);
        copy.refusal = refusal;
        change.accept(copy);
        return copy;
    }

    /// A section without keys.
    public static <R extends Record> Binding<R, Draft<R>> of(String says, R defaults) {
        return of(says, defaults, Draft::new, Draft::build);
    }

    /// The same of a record with a builder of its own.
    ///
    /// @param says what it describes, such as "a listener"
    /// @param edit makes a builder with what a record has
    public static <R, B> Binding<R, B> of(
            String says, R defaults, Function<R, B> edit, Function<B, R> build) {
        return new Binding<>(says, defaults, edit, build);
    }

    private Binding<R, B> and(Part<R, B, ?> part) {
        return with(copy -> copy.parts.add(part));
    }

    /// With a key; what holds without it is said by the record.
    public <V> Binding<R, B> key(
            String name,
            Form<V> form,
            Function<R, @Nullable V> get,
            BiConsumer<B, V> set,
            String meaning) {
        return and(new One<>(name, form, get, set, "", meaning, false));
    }

    /// With a key without which nothing is set in the record.
    ///
    /// @param absent what holds without it, in words
    public <V> Binding<R, B> key(
            String name,
            Form<V> form,
            Function<R, @Nullable V> get,
            BiConsumer<B, V> set,
            String absent,
            String meaning) {
        return and(new One<>(name, form, get, set, absent, meaning, false));
    }

    /// With the form of a key of the next table.
    public Binding<R, B> form(String key, Form<?> form) {
        return with(copy -> copy.forms.put(key, form));
    }

    /// With a table of keys, in the order of the reference.
    ///
    /// @param table a key on each line, `name (component) <form> [absent]: Meaning.`, which lines
    ///   that begin with a blank continue. Without a component it is the one of the name;
    ///   `(component Kind)`: the key is there where the component is of this class of a sealed
    ///   type. The form is what a text is, `0 to 9`, or as [Forms#said] says; without one it is
    ///   that of [#form], or that which the type says. What holds without the key is said by the
    ///   record or, where it sets nothing, in words; `=words` are those of the default of the
    ///   record; `required`: the key must be given
    public Binding<R, B> keys(String table) {
        Binding<R, B> all = with(copy -> copy.forms.clear());
        Map<String, Form<?>> left = new HashMap<>(forms);
        for (String line : LINES.split(table.strip(), -1)) {
            Matcher row = ROW.matcher(CONTINUED.matcher(line).replaceAll(" "));
            if (!row.matches()) {
                throw new IllegalStateException("not a key: " + line);
            }
            String name = row.group(1);
            String of = row.group(2) == null ? Component.named(name) : row.group(2);
            String absent = row.group(5) == null ? "" : row.group(5);
            Form<?> form = left.remove(name);
            if (form == null && row.group(4) != null) {
                form = Forms.said(row.group(4));
            }
            if (row.group(3) != null) {
                Class<? extends Record> kind = component(of).kind(row.group(3));
                Form<?> own = form == null ? Draft.form(kind) : form;
                all = all.kind(of, name, kind, own, absent, row.group(6));
            } else {
                Form<?> own = form == null ? component(of).form() : form;
                all =
                        absent.equals("required")
                                ? all.requiredAs(of, name, own, row.group(6))
                                : all.keyAs(of, name, own, absent, row.group(6));
            }
        }
        if (!left.isEmpty()) {
            throw new IllegalStateException("forms without keys: " + left.keySet());
        }
        return all;
    }

    /// With what several sections have.
    public Binding<R, B> then(UnaryOperator<Binding<R, B>> further) {
        return further.apply(this);
    }

    /// With a key whose form is said by the type of its component.
    public Binding<R, B> key(String name, String meaning) {
        return key(name, "", meaning);
    }

    /// The same, without which nothing is set in the record.
    public Binding<R, B> key(String name, String absent, String meaning) {
        return keyAs(Component.named(name), name, absent, meaning);
    }

    /// The same with a component of another name.
    public Binding<R, B> keyAs(String of, String name, String meaning) {
        return keyAs(of, name, "", meaning);
    }

    /// The same, without which nothing is set in the record.
    public Binding<R, B> keyAs(String of, String name, String absent, String meaning) {
        return keyAs(of, name, component(of).form(), absent, meaning);
    }

    /// With a key that is the component of its name: `idle-timeout` is `idleTimeout`.
    public <V> Binding<R, B> key(String name, Form<V> form, String meaning) {
        return key(name, form, "", meaning);
    }

    /// The same, without which nothing is set in the record.
    public <V> Binding<R, B> key(String name, Form<V> form, String absent, String meaning) {
        return keyAs(Component.named(name), name, form, absent, meaning);
    }

    /// With a key that is a component of another name.
    public <V> Binding<R, B> keyAs(String of, String name, Form<V> form, String meaning) {
        return keyAs(of, name, form, "", meaning);
    }

    /// The same, without which nothing is set in the record.
    public <V> Binding<R, B> keyAs(
            String of, String name, Form<V> form, String absent, String meaning) {
        Component<R, B, V> component = component(of);
        return and(new One<>(name, form, component::get, component::set, absent, meaning, false));
    }

    /// With a key that is there where a component is of a class.
    ///
    /// @param form of its only component or, where it has none or several, of itself
    public Binding<R, B> kind(
            String of, String name, Class<? extends Record> kind, Form<?> form, String meaning) {
        return kind(of, name, kind, form, "", meaning);
    }

    /// The same.
    ///
    /// @param absent what holds without it, in words
    public <S extends Record> Binding<R, B> kind(
            String of, String name, Class<S> kind, Form<?> form, String absent, String meaning) {
        Component<R, B, Object> component = component(of);
        return key(
                name,
                Draft.whole(kind, form),
                from ->
                        kind.isInstance(component.get(from))
                                ? kind.cast(component.get(from))
                                : null,
                component::set,
                absent,
                meaning);
    }

    private <V> Component<R, B, V> component(String name) {
        return Component.of(defaults, edit.apply(defaults), name);
    }

    /// With a key that must be given, and is the component of its name.
    public <V> Binding<R, B> required(String name, Form<V> form, String meaning) {
        return requiredAs(Component.named(name), name, form, meaning);
    }

    /// The same with a component of another name.
    public <V> Binding<R, B> requiredAs(String of, String name, Form<V> form, String meaning) {
        Component<R, B, V> component = component(of);
        return required(name, form, component::get, component::set, meaning);
    }

    /// With the keys of a record that is a component.
    public <P> Binding<R, B> part(String of, Keys<P> keys) {
        Component<R, B, P> component = component(of);
        return part(keys, component::get, component::set);
    }

    /// With a key that must be given.
    public <V> Binding<R, B> required(
            String name,
            Form<V> form,
            Function<R, @Nullable V> get,
            BiConsumer<B, V> set,
            String meaning) {
        return and(new One<>(name, form, get, set, "", meaning, true));
    }

    /// With the keys of a record within the record.
    ///
    /// @param get returns null where there is none; its keys are not read then
    public <P> Binding<R, B> part(
            Keys<P> keys, Function<R, @Nullable P> get, BiConsumer<B, P> set) {
        return and(new Within<>(keys, get, set, false));
    }

    /// With the keys of a record that is a component where one of them is given, and null else.
    public <P> Binding<R, B> partIfGiven(String of, Keys<P> keys) {
        Component<R, B, P> component = component(of);
        return and(new Within<>(keys, component::get, component::set, true));
    }

    /// With a key that others read and write.
    public Binding<R, B> elsewhere(Shape.Key key) {
        return and(new Elsewhere<>(key));
    }

    /// The same.
    public Binding<R, B> elsewhere(List<Shape.Key> keys) {
        return with(copy -> keys.forEach(key -> copy.parts.add(new Elsewhere<>(key))));
    }

    /// With the keys of another description of the same record.
    public Binding<R, B> within(Binding<R, B> other) {
        return with(copy -> copy.parts.addAll(other.parts));
    }

    /// With another name of a key, as earlier versions had it.
    public Binding<R, B> also(String key, String alias) {
        return with(copy -> copy.aliases.put(key, alias));
    }

    /// With a rule about several keys.
    public Binding<R, B> rule(BiConsumer<Settings, Reading> rule) {
        return with(copy -> copy.rules.add(rule));
    }

    /// With keys of which exactly one is given.
    public Binding<R, B> exactlyOne(String... names) {
        return exactlyOne(List.of(names));
    }

    /// The same.
    public Binding<R, B> exactlyOne(List<String> names) {
        return with(copy -> copy.exactlyOne.addAll(names));
    }

    /// With what is said, at a key, when the record refuses what it is made of.
    ///
    /// @param message empty = what the record says
    public Binding<R, B> refusal(String key, String message) {
        return with(copy -> copy.refusal = new Refusal(key, message));
    }

    @Override
    public String says() {
        return says;
    }

    @Override
    public R defaults() {
        return defaults;
    }

    @Override
    public List<Shape.Key> shapes() {
        List<Shape.Key> known = shapes;
        if (known == null) {
            known =
                    parts.stream()
                            .flatMap(part -> part.shapes(defaults))
                            .map(this::aliased)
                            .toList();
            shapes = known;
        }
        return known;
    }

    private Shape.Key aliased(Shape.Key key) {
        String alias = aliases.get(key.name());
        Shape.Key chosen = exactlyOne.contains(key.name()) ? key.orAbsent("") : key;
        return alias == null ? chosen : chosen.also(alias);
    }

    @Override
    public Shape.Section shape() {
        return new Shape.Section(says, shapes(), List.copyOf(exactlyOne));
    }

    @Override
    public R read(Settings section, R otherwise, Reading reading) {
        B builder = edit.apply(otherwise);
        parts.forEach(part -> part.read(section, otherwise, builder, reading));
        rules.forEach(rule -> rule.accept(section, reading));
        try {
            return build.apply(builder);
        } catch (IllegalArgumentException e) {
            refuse(section, String.valueOf(e.getMessage()), reading);
            return otherwise;
        }
    }

    private void refuse(Settings section, String message, Reading reading) {
        if (refusal == null) {
            String named = message;
            for (Shape.Key key : shapes()) {
                named = named.replaceAll("\\b" + Component.named(key.name()) + "\\b", key.name());
            }
            reading.problems().add(new Problem(section.position(), says + ": " + named));
        } else {
            reading.problem(
                    section, refusal.key, refusal.message.isEmpty() ? message : refusal.message);
        }
    }

    @Override
    public Map<String, Object> write(R value, R otherwise) {
        Map<String, Object> written = new LinkedHashMap<>();
        parts.forEach(part -> part.write(value, otherwise, written));
        return written;
    }

    @Override
    public Map<String, R> variants(R from) {
        Map<String, R> variants = new LinkedHashMap<>();
        parts.forEach(part -> {
            if (part instanceof One<R, B, ?> one) {
                variants.putAll(one.variants(from, this));
            } else if (part instanceof Within<R, B, ?> within) {
                variants.putAll(within.variants(from, this));
            }
        });
        return variants;
    }

    /// Adds the record with another value, if it can be and is another one.
    private <V> void with(
            R from, BiConsumer<B, V> set, V value, String name, Map<String, R> variants) {
        B builder = edit.apply(from);
        set.accept(builder, value);
        try {
            R other = build.apply(builder);
            if (!other.equals(from)) {
                variants.put(name, other);
            }
        } catch (IllegalArgumentException e) {
            // It needs another key, too.
        }
    }

    private record One<R, B, V>(
            String name,
            Form<V> form,
            Function<R, @Nullable V> get,
            BiConsumer<B, V> set,
            String absent,
            String meaning,
            boolean isRequired)
            implements Part<R, B, V> {
        @Override
        public Stream<Shape.Key> shapes(R defaults) {
            return Stream.of(
                    isRequired
                            ? Shape.required(name, form.shape(), meaning)
                            : Shape.optional(name, form.shape(), () -> words(defaults), meaning));
        }

        private String words(R defaults) {
            V value = get.apply(defaults);
            if (absent.startsWith("=")) {
                return absent.substring(1);
            }
            boolean nothing = isNothing(value);
            String words = nothing ? "none" : form.words(Objects.requireNonNull(value));
            if (!nothing && !absent.isEmpty() && !absent.contains(words)) {
                throw new IllegalStateException(
                        name + " is " + words + " by default, not " + absent);
            }
            return absent.isEmpty() ? words : absent;
        }

        private static boolean isNothing(@Nullable Object value) {
            return value == null
                    || value.equals("")
                    || (value instanceof Collection<?> all && all.isEmpty())
                    || (value instanceof Map<?, ?> map && map.isEmpty());
        }

        @Override
        public void read(Settings section, R otherwise, B to, Reading reading) {
            section.get(name, Object.class)
                    .ifPresent(given -> {
                        V value =
                                form.reader()
                                        .read(
                                                given,
                                                new Form.Spot(section, name, reading),
                                                get.apply(otherwise));
                        if (value != null) {
                            set.accept(to, value);
                        }
                    });
        }

        @Override
        public void write(R value, R otherwise, Map<String, Object> to) {
            V own = get.apply(value);
            V other = get.apply(otherwise);
            if (own != null && (isRequired || !own.equals(other))) {
                Object written = form.writer().write(own, other);
                boolean says =
                        other == null || !(written instanceof Map<?, ?> map && map.isEmpty());
                if (isRequired || says) {
                    to.put(name, written);
                }
            }
        }

        private Map<String, R> variants(R from, Binding<R, B> binding) {
            Map<String, R> variants = new LinkedHashMap<>();
            V own = get.apply(from);
            for (V example : form.examples().get()) {
                if (!example.equals(own)) {
                    binding.with(from, set, example, name + " " + variants.size(), variants);
                }
            }
            return variants;
        }
    }

    private record Within<R, B, P>(
            Keys<P> keys, Function<R, @Nullable P> get, BiConsumer<B, P> set, boolean ifGiven)
            implements Part<R, B, P> {
        @Override
        public Stream<Shape.Key> shapes(R defaults) {
            return keys.shapes().stream();
        }

        @Override
        public void read(Settings section, R otherwise, B to, Reading reading) {
            P inner = get.apply(otherwise);
            if (ifGiven && keys.shapes().stream().noneMatch(key -> section.has(key.name()))) {
                return;
            }
            if (inner != null || ifGiven) {
                P base = inner == null ? keys.defaults() : inner;
                set.accept(to, keys.read(section, base, reading));
            }
        }

        @Override
        public void write(R value, R otherwise, Map<String, Object> to) {
            P own = get.apply(value);
            P other = get.apply(otherwise);
            if (own != null) {
                to.putAll(keys.write(own, other == null ? keys.defaults() : other));
            }
        }

        private Map<String, R> variants(R from, Binding<R, B> binding) {
            Map<String, R> variants = new LinkedHashMap<>();
            P inner = get.apply(from);
            if (inner != null || ifGiven) {
                keys.variants(inner == null ? keys.defaults() : inner)
                        .forEach((name, other) -> binding.with(from, set, other, name, variants));
            }
            return variants;
        }
    }

    private record Elsewhere<R, B>(Shape.Key key) implements Part<R, B, Object> {
        @Override
        public Stream<Shape.Key> shapes(R defaults) {
            return Stream.of(key);
        }

        @Override
        public void read(Settings section, R otherwise, B to, Reading reading) {
            // Others do.
        }

        @Override
        public void write(R value, R otherwise, Map<String, Object> to) {
            // Others do.
        }
    }
}
