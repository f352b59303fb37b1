package io.margay.app.config.binding;

import io.margay.app.yaml.Once;
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
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The one description of a section of `margay.yaml`: each key with its form, its meaning, and the
/// component of the record that it is. What holds by default is taken from the record. Shape,
/// reader, writer, schema and reference come from it. Immutable.
///
/// @param <R> the record
public final class Binding<R> implements Keys<R> {
    private final String says;
    private final R defaults;
    private final Function<Draft<R>, R> build;
    private final List<Part<R>> parts = new ArrayList<>();
    private final Map<String, String> aliases = new HashMap<>();
    private final Map<String, Function<Row, Part<R>>> forms = new HashMap<>();
    private final List<BiConsumer<Settings, Reading>> rules = new ArrayList<>();
    private final List<String> exactlyOne = new ArrayList<>();
    private @Nullable Refusal refusal;

    /// The keys, once they have been asked for.
    private @Nullable List<Shape.Key> shapes;

    private record Nothing() {}

    /// What is said when the record cannot be.
    private record Refusal(String key, String message) {}

    /// A part of the record.
    private sealed interface Part<R> {
        Stream<Shape.Key> shapes(R defaults);

        void read(Settings section, R otherwise, Draft<R> to, Reading reading);

        void write(R value, R otherwise, Map<String, Object> to);
    }

    private Binding(String says, R defaults, Function<Draft<R>, R> build) {
        this.says = says;
        this.defaults = defaults;
        this.build = build;
    }

    /// The same with a change, which nobody else has seen yet.
    private Binding<R> with(Consumer<Binding<R>> change) {
        Binding<R> copy = new Binding<>(says, defaults, build);
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
    ///
    /// @param says what it describes, such as "a listener"
    public static <R> Binding<R> of(String says, R defaults) {
        return of(says, defaults, Draft::build);
    }

    /// A section of which others read and write the keys.
    public static Binding<?> of(String says) {
        return of(says, new Nothing());
    }

    /// A section whose record is made otherwise of what its keys say.
    public static <R> Binding<R> of(String says, R defaults, Function<Draft<R>, R> build) {
        return new Binding<>(says, defaults, build);
    }

    private Binding<R> and(Part<R> part) {
        return with(copy -> copy.parts.add(part));
    }

    /// With the form of a key of the next table.
    public Binding<R> form(String key, Form<?> form) {
        return form(key, () -> form);
    }

    /// The same, which is made when the key is met: sections that a file has not are not described.
    public Binding<R> form(String key, Supplier<Form<?>> form) {
        return row(key, row -> own(row, new Once<>(form)));
    }

    /// With the form of a key of the next table that is not one component.
    public <V> Binding<R> form(
            String key, Form<V> form, Function<R, @Nullable V> get, BiConsumer<Draft<R>, V> set) {
        return form(key, () -> form, get, set);
    }

    /// With the form of a key of the next table that sets its component, which says it otherwise.
    public <V> Binding<R> form(String key, Form<V> form, Function<R, @Nullable V> get) {
        return row(
                key,
                row -> new One<>(row, () -> form, get, this.<V>component(row.component())::set));
    }

    /// The same with a form that is made when the key is met.
    public <V> Binding<R> form(
            String key,
            Supplier<Form<V>> form,
            Function<R, @Nullable V> get,
            BiConsumer<Draft<R>, V> set) {
        return row(key, row -> new One<>(row, form, get, set));
    }

    /// With the shape of a key of the next table that others read and write.
    public Binding<R> shape(String key, Shape shape) {
        return shape(key, () -> shape);
    }

    /// The same, which is made when the key is met.
    public Binding<R> shape(String key, Supplier<Shape> shape) {
        return row(key, row -> new Elsewhere<>(row.key(shape)));
    }

    private Binding<R> row(String key, Function<Row, Part<R>> made) {
        return with(copy -> copy.forms.put(key, made));
    }

    /// With a table of keys, in the order of the reference.
    ///
    /// @param table a key on each line, `name (component) <form> [absent]: Meaning.`, which lines
    ///   that begin with a blank continue. Without a component it is the one of the name;
    ///   `(outer.component)` is one of a component, where that has it; `(component Kind)`: the key
    ///   is there where the component is of this class of a sealed type. The form is what a text
    ///   is, `0 to 9`, or as [Forms#said] says; without one it is that of [#form], or that which
    ///   the type says. What holds without the key is said by the record or, where it sets nothing,
    ///   in words; `=words` are those of the default of the record; `required`: the key must be
    ///   given. It is read when the section is used
    public Binding<R> keys(String table) {
        Part<R> rows = new Rows<>(table, Map.copyOf(forms), row -> own(row, null));
        return with(copy -> {
            copy.forms.clear();
            copy.parts.add(rows);
        });
    }

    /// With what several sections have.
    public Binding<R> then(UnaryOperator<Binding<R>> further) {
        return further.apply(this);
    }

    /// A key that is a component.
    @SuppressWarnings("unchecked")
    private Part<R> own(Row row, @Nullable Supplier<Form<?>> given) {
        Component<R, Object> component = component(row.component());
        Supplier<Form<?>> own =
                given == null && !row.says().isEmpty()
                        ? new Once<>(() -> Forms.said(row.says()))
                        : given;
        if (!row.kind().isEmpty()) {
            return kind(row, component, own);
        }
        Supplier<Form<?>> form = own == null ? new Once<>(component::form) : own;
        return new One<>(row, () -> (Form<Object>) form.get(), component::get, component::set);
    }

    /// A key that is there where a component is of a class, in the form of the only component of
    /// that class or, where it has none or several, of itself.
    @SuppressWarnings("unchecked")
    private static <R> Part<R> kind(
            Row row, Component<R, Object> component, @Nullable Supplier<Form<?>> own) {
        Once<Class<? extends Record>> kind = new Once<>(() -> component.kind(row.kind()));
        Once<Form<?>> form =
                new Once<>(() ->
                        Draft.whole(kind.get(), own == null ? Draft.form(kind.get()) : own.get()));
        return new One<>(
                row,
                () -> (Form<Object>) form.get(),
                from -> {
                    Object value = component.get(from);
                    return kind.get().isInstance(value) ? value : null;
                },
                component::set);
    }

    private <V> Component<R, V> component(String name) {
        return new Component<>(defaults.getClass(), name);
    }

    /// With the keys of a record that is a component.
    public <P> Binding<R> part(String of, Keys<P> keys) {
        Component<R, P> component = component(of);
        return part(keys, component::get, component::set);
    }

    /// With the keys of a record within the record.
    ///
    /// @param get returns null where there is none; its keys are not read then
    public <P> Binding<R> part(
            Keys<P> keys, Function<R, @Nullable P> get, BiConsumer<Draft<R>, P> set) {
        return and(new Within<>(keys, get, set, false));
    }

    /// With the keys of a record that is a component where one of them is given, and null else.
    public <P> Binding<R> partIfGiven(String of, Keys<P> keys) {
        Component<R, P> component = component(of);
        return and(new Within<>(keys, component::get, component::set, true));
    }

    /// With keys that others read and write.
    public Binding<R> elsewhere(List<Shape.Key> keys) {
        return with(copy -> keys.forEach(key -> copy.parts.add(new Elsewhere<>(key))));
    }

    /// With the keys of another description of the same record.
    public Binding<R> within(Binding<R> other) {
        return with(copy -> copy.parts.addAll(other.parts));
    }

    /// With another name of a key, as earlier versions had it.
    public Binding<R> also(String key, String alias) {
        return with(copy -> copy.aliases.put(key, alias));
    }

    /// With a rule about several keys.
    public Binding<R> rule(BiConsumer<Settings, Reading> rule) {
        return with(copy -> copy.rules.add(rule));
    }

    /// With a problem of a section.
    ///
    /// @param key at which it is reported
    public Binding<R> wrong(String key, Predicate<Settings> when, String message) {
        return rule((section, reading) -> {
            if (when.test(section)) {
                reading.problem(section, key, message);
            }
        });
    }

    /// With keys of which exactly one is given.
    public Binding<R> exactlyOne(String... names) {
        return exactlyOne(List.of(names));
    }

    /// The same.
    public Binding<R> exactlyOne(List<String> names) {
        return with(copy -> copy.exactlyOne.addAll(names));
    }

    /// With what is said, at a key, when the record refuses what it is made of.
    ///
    /// @param message empty = what the record says
    public Binding<R> refusal(String key, String message) {
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
        return new Shape.Section(says, this::shapes, List.copyOf(exactlyOne));
    }

    @Override
    public R read(Settings section, R otherwise, Reading reading) {
        Draft<R> builder = new Draft<>(otherwise);
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

    /// A key that is a value of the record.
    private record One<R, V>(
            Row row,
            Supplier<Form<V>> form,
            Function<R, @Nullable V> get,
            BiConsumer<Draft<R>, V> set)
            implements Part<R> {
        @Override
        public Stream<Shape.Key> shapes(R defaults) {
            return Stream.of(
                    new Shape.Key(
                            row.name(),
                            () -> form.get().shape(),
                            row.isRequired(),
                            () -> row.isRequired() ? "" : words(defaults),
                            row.meaning(),
                            List.of()));
        }

        private String words(R defaults) {
            V value = get.apply(defaults);
            String absent = row.absent();
            if (absent.startsWith("=")) {
                return absent.substring(1);
            }
            boolean nothing = isNothing(value);
            String words = nothing ? "none" : form.get().words(Objects.requireNonNull(value));
            if (!nothing && !absent.isEmpty() && !absent.contains(words)) {
                throw new IllegalStateException(
                        row.name() + " is " + words + " by default, not " + absent);
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
        public void read(Settings section, R otherwise, Draft<R> to, Reading reading) {
            section.get(row.name(), Object.class)
                    .ifPresent(given -> {
                        V value =
                                form.get()
                                        .reader()
                                        .read(
                                                given,
                                                new Form.Spot(section, row.name(), reading),
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
            if (own != null && (row.isRequired() || !own.equals(other))) {
                Object written = form.get().writer().write(own, other);
                boolean says =
                        other == null || !(written instanceof Map<?, ?> map && map.isEmpty());
                if (row.isRequired() || says) {
                    to.put(row.name(), written);
                }
            }
        }
    }

    /// The keys of a table, which is read when they are asked for.
    private static final class Rows<R> implements Part<R> {
        private final String table;
        private final Map<String, Function<Row, Part<R>>> forms;
        private final Function<Row, Part<R>> otherwise;
        private final Once<List<Part<R>>> keys = new Once<>(this::keys);

        Rows(
                String table,
                Map<String, Function<Row, Part<R>>> forms,
                Function<Row, Part<R>> otherwise) {
            this.table = table;
            this.forms = forms;
            this.otherwise = otherwise;
        }

        private List<Part<R>> keys() {
            Map<String, Function<Row, Part<R>>> left = new HashMap<>(forms);
            List<Part<R>> all = new ArrayList<>();
            for (Row row : Row.all(table)) {
                all.add(Objects.requireNonNullElse(left.remove(row.name()), otherwise).apply(row));
            }
            if (!left.isEmpty()) {
                throw new IllegalStateException("forms without keys: " + left.keySet());
            }
            return List.copyOf(all);
        }

        @Override
        public Stream<Shape.Key> shapes(R defaults) {
            return keys.get().stream().flatMap(key -> key.shapes(defaults));
        }

        @Override
        public void read(Settings section, R otherwise, Draft<R> to, Reading reading) {
            keys.get().forEach(key -> key.read(section, otherwise, to, reading));
        }

        @Override
        public void write(R value, R otherwise, Map<String, Object> to) {
            keys.get().forEach(key -> key.write(value, otherwise, to));
        }
    }

    private record Within<R, P>(
            Keys<P> keys,
            Function<R, @Nullable P> get,
            BiConsumer<Draft<R>, P> set,
            boolean ifGiven)
            implements Part<R> {
        @Override
        public Stream<Shape.Key> shapes(R defaults) {
            return keys.shapes().stream();
        }

        @SuppressWarnings("ReferenceEquality") // where nothing is said, it is the very object
        @Override
        public void read(Settings section, R otherwise, Draft<R> to, Reading reading) {
            P inner = get.apply(otherwise);
            if (ifGiven && keys.shapes().stream().noneMatch(key -> section.has(key.name()))) {
                return;
            }
            if (inner != null || ifGiven) {
                P read = keys.read(section, inner == null ? keys.defaults() : inner, reading);
                if (read != inner) { // making a record takes time
                    set.accept(to, read);
                }
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
    }

    private record Elsewhere<R>(Shape.Key key) implements Part<R> {
        @Override
        public Stream<Shape.Key> shapes(R defaults) {
            return Stream.of(key);
        }

        @Override
        public void read(Settings section, R otherwise, Draft<R> to, Reading reading) {
            // Others do.
        }

        @Override
        public void write(R value, R otherwise, Map<String, Object> to) {
            // Others do.
        }
    }
}
