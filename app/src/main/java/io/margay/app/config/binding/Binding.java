package io.margay.app.config.binding;

import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The one description of a section of `margay.yaml`: each key with its form, its meaning, and the
/// component of the record that it is. What holds by default is taken from the record. Shape,
/// reader, writer, schema and reference come from it. Immutable.
///
/// @param <R> the record
/// @param <B> what builds it
public final class Binding<R, B> implements Keys<R> {
    private final String says;
    private final R defaults;
    private final Function<R, B> edit;
    private final Function<B, R> build;
    private final List<Part<R, B, ?>> parts;
    private final List<BiConsumer<Settings, Reading>> rules;
    private final List<String> exactlyOne;
    private final @Nullable Refusal refusal;

    /// What is said when the record cannot be.
    private record Refusal(String key, String message) {}

    /// A part of the record.
    private sealed interface Part<R, B, V> {
        Stream<Shape.Key> shapes(R defaults);

        void read(Settings section, R otherwise, B to, Reading reading);

        void write(R value, R otherwise, Map<String, Object> to);
    }

    private Binding(
            String says,
            R defaults,
            Function<R, B> edit,
            Function<B, R> build,
            List<Part<R, B, ?>> parts,
            List<BiConsumer<Settings, Reading>> rules,
            List<String> exactlyOne,
            @Nullable Refusal refusal) {
        this.says = says;
        this.defaults = defaults;
        this.edit = edit;
        this.build = build;
        this.parts = parts;
        this.rules = rules;
        this.exactlyOne = exactlyOne;
        this.refusal = refusal;
    }

    /// A section without keys.
    ///
    /// @param says what it describes, such as "a listener"
    /// @param edit makes a builder with what a record has
    public static <R, B> Binding<R, B> of(
            String says, R defaults, Function<R, B> edit, Function<B, R> build) {
        return new Binding<>(says, defaults, edit, build, List.of(), List.of(), List.of(), null);
    }

    /// A section without keys that is a value of one of several forms.
    public static <R> Binding<R, Held<R>> ofOne(String says, R defaults) {
        return of(says, defaults, Held::new, Held::get);
    }

    private Binding<R, B> and(Part<R, B, ?> part) {
        List<Part<R, B, ?>> all = new ArrayList<>(parts);
        all.add(part);
        return new Binding<>(
                says, defaults, edit, build, List.copyOf(all), rules, exactlyOne, refusal);
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

    private <V> Component<R, B, V> component(String name) {
        return Component.of(defaults, edit.apply(defaults), name);
    }

    /// With a key that must be given, and is the component of its name.
    public <V> Binding<R, B> required(String name, Form<V> form, String meaning) {
        Component<R, B, V> component = component(Component.named(name));
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
        return and(new Within<>(keys, get, set));
    }

    /// With a key that others read and write.
    public Binding<R, B> elsewhere(Shape.Key key) {
        return and(new Elsewhere<>(key));
    }

    /// The same.
    public Binding<R, B> elsewhere(List<Shape.Key> keys) {
        Binding<R, B> all = this;
        for (Shape.Key key : keys) {
            all = all.elsewhere(key);
        }
        return all;
    }

    /// With the keys of another description of the same record.
    public Binding<R, B> within(Binding<R, B> other) {
        List<Part<R, B, ?>> all = new ArrayList<>(parts);
        all.addAll(other.parts);
        return new Binding<>(
                says, defaults, edit, build, List.copyOf(all), rules, exactlyOne, refusal);
    }

    /// With a rule about several keys.
    public Binding<R, B> rule(BiConsumer<Settings, Reading> rule) {
        List<BiConsumer<Settings, Reading>> all = new ArrayList<>(rules);
        all.add(rule);
        return new Binding<>(
                says, defaults, edit, build, parts, List.copyOf(all), exactlyOne, refusal);
    }

    /// With keys of which exactly one is given.
    public Binding<R, B> exactlyOne(String... names) {
        return exactlyOne(List.of(names));
    }

    /// The same.
    public Binding<R, B> exactlyOne(List<String> names) {
        return new Binding<>(
                says, defaults, edit, build, parts, rules, List.copyOf(names), refusal);
    }

    /// With what is said, at a key, when the record refuses what it is made of.
    ///
    /// @param message empty = what the record says
    public Binding<R, B> refusal(String key, String message) {
        return new Binding<>(
                says, defaults, edit, build, parts, rules, exactlyOne, new Refusal(key, message));
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
        return parts.stream().flatMap(part -> part.shapes(defaults)).toList();
    }

    @Override
    public Shape.Section shape() {
        return new Shape.Section(says, shapes(), exactlyOne);
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
            reading.problems().add(new Problem(section.position(), says + ": " + message));
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
                            : Shape.optional(name, form.shape(), words(defaults), meaning));
        }

        private String words(R defaults) {
            V value = get.apply(defaults);
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
                to.put(name, form.writer().write(own, other));
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

    private record Within<R, B, P>(Keys<P> keys, Function<R, @Nullable P> get, BiConsumer<B, P> set)
            implements Part<R, B, P> {
        @Override
        public Stream<Shape.Key> shapes(R defaults) {
            return keys.shapes().stream();
        }

        @Override
        public void read(Settings section, R otherwise, B to, Reading reading) {
            P inner = get.apply(otherwise);
            if (inner != null) {
                set.accept(to, keys.read(section, inner, reading));
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
            if (inner != null) {
                keys.variants(inner)
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
