package io.margay.app.config.binding;

import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A section that is one of several records, chosen by the key that is given. Immutable.
///
/// @param kinds by their keys
public record Choice<R>(String says, List<Kind<? extends R>> kinds) implements Keys<R> {
    /// One of the records.
    ///
    /// @param key by which it is chosen, which it requires
    /// @param owner what keys of others do not belong to, such as "a directory"
    record Kind<S>(String key, String owner, Keys<S> keys) {
        boolean has(Object value) {
            return value.getClass() == keys.defaults().getClass();
        }

        List<String> names() {
            return keys.shapes().stream().map(Shape.Key::name).toList();
        }

        S read(Settings section, Object otherwise, Reading reading) {
            for (Shape.Key one : keys.shapes()) {
                if (one.required() && !section.isGiven(one.name())) {
                    reading.problem(section, key, owner + " needs the key \"" + one.name() + "\"");
                }
            }
            return keys.read(section, has(otherwise) ? cast(otherwise) : keys.defaults(), reading);
        }

        Map<String, Object> write(Object value, Object otherwise) {
            return keys.write(cast(value), has(otherwise) ? cast(otherwise) : keys.defaults());
        }

        Map<String, ? extends S> variants(Object from) {
            return keys.variants(has(from) ? cast(from) : keys.defaults());
        }

        @SuppressWarnings("unchecked")
        private S cast(Object value) {
            return (S) value;
        }
    }

    public Choice {
        kinds = List.copyOf(kinds);
    }

    /// A section that is nothing yet.
    public static <R> Choice<R> of(String says) {
        return new Choice<>(says, List.of());
    }

    /// With a record.
    ///
    /// @param key by which it is chosen, which it requires
    /// @param owner what it is called, such as "a directory"
    public Choice<R> or(String key, String owner, Keys<? extends R> keys) {
        List<Kind<? extends R>> all = new ArrayList<>(kinds);
        all.add(new Kind<>(key, owner, keys));
        return new Choice<>(says, all);
    }

    /// The keys of which one is given.
    public List<String> names() {
        return kinds.stream().map(Kind::key).toList();
    }

    @Override
    public R defaults() {
        return kinds.getFirst().keys().defaults();
    }

    @Override
    public List<Shape.Key> shapes() {
        Map<String, Shape.Key> all = new LinkedHashMap<>();
        for (Kind<? extends R> kind : kinds) {
            for (Shape.Key one : kind.keys().shapes()) {
                boolean chooses = one.name().equals(kind.key());
                String absent = chooses ? "" : "needed with `" + kind.key() + "`";
                all.putIfAbsent(one.name(), one.required() ? one.orAbsent(absent) : one);
            }
        }
        return List.copyOf(all.values());
    }

    @Override
    public Shape.Section shape() {
        return new Shape.Section(says, shapes(), names());
    }

    @Override
    public R read(Settings section, R otherwise, Reading reading) {
        for (Kind<? extends R> kind : kinds) {
            if (section.has(kind.key())) {
                Set<String> others = new LinkedHashSet<>();
                kinds.forEach(other -> {
                    List<String> strange = new ArrayList<>(other.names());
                    strange.removeAll(kind.names());
                    strange.removeIf(name -> !others.add(name) || name.equals(other.key()));
                    reading.strangers(section, strange, other.owner());
                });
                return kind.read(section, otherwise, reading);
            }
        }
        return otherwise;
    }

    @Override
    public Map<String, Object> write(R value, R otherwise) {
        for (Kind<? extends R> kind : kinds) {
            if (kind.has(value)) {
                return kind.write(value, otherwise);
            }
        }
        return Map.of();
    }

    @Override
    public Map<String, R> variants(R from) {
        Map<String, R> all = new LinkedHashMap<>();
        kinds.forEach(kind -> all.putAll(kind.variants(from)));
        return all;
    }
}
