package io.margay.app.config.binding;

import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A section that is one of several records, chosen by the key that is given. Immutable.
///
/// @param absent what holds where none of the keys is given, in words; empty = one must be
/// @param kinds by their keys
public record Choice<R>(String says, String absent, List<Kind<? extends R>> kinds)
        implements Keys<R> {
    /// One of the records.
    ///
    /// @param key by which it is chosen, which it requires
    /// @param owner what keys of others do not belong to, such as "a directory"
    record Kind<S>(String key, String owner, Keys<S> keys) {
        boolean has(Object value) {
            return value.getClass() == keys.defaults().getClass();
        }

        boolean takes(String key) {
            for (Shape.Key one : keys.shapes()) {
                if (one.name().equals(key)) {
                    return true;
                }
            }
            return false;
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

        @SuppressWarnings("unchecked")
        private S cast(Object value) {
            return (S) value;
        }
    }

    public Choice {
        kinds = List.copyOf(kinds);
    }

    /// A section that is nothing yet, and one of them in the end.
    public static <R> Choice<R> of(String says) {
        return new Choice<>(says, "", List.of());
    }

    /// The same where none of the keys need be given.
    public static <R> Choice<R> maybe(String says) {
        return new Choice<>(says, "none", List.of());
    }

    /// With a record.
    ///
    /// @param key by which it is chosen, which it requires
    /// @param owner what it is called, such as "a directory"
    public Choice<R> or(String key, String owner, Keys<? extends R> keys) {
        List<Kind<? extends R>> all = new ArrayList<>(kinds);
        all.add(new Kind<>(key, owner, keys));
        return new Choice<>(says, absent, all);
    }

    /// With a record that is called as its key.
    public Choice<R> or(String key, Keys<? extends R> keys) {
        return or(key, "\"" + key + "\"", keys);
    }

    /// The same by a table of its keys or, where it has no components, by what its key means.
    @SuppressWarnings("unchecked")
    public Choice<R> or(String key, Record defaults, String table) {
        Binding<Record> keys = Binding.of(says, defaults);
        boolean isFlag = defaults.getClass().getRecordComponents().length == 0;
        return or(
                key,
                (Keys<? extends R>)
                        (isFlag
                                ? keys.form(key, Forms.flag(), _ -> true, (_, _) -> {})
                                        .keys(key + " [required]: " + table)
                                : keys.keys(table)));
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
                String without = chooses ? absent : "needed with `" + kind.key() + "`";
                all.putIfAbsent(one.name(), one.required() ? one.orAbsent(without) : one);
            }
        }
        return List.copyOf(all.values());
    }

    @Override
    public Shape.Section shape() {
        return new Shape.Section(says, this::shapes, absent.isEmpty() ? names() : List.of());
    }

    /// Complains of a key of another kind.
    private void strangers(Kind<?> kind, Settings section, String key, Reading reading) {
        if (kind.takes(key)) {
            return;
        }
        for (Kind<? extends R> other : kinds) {
            if (other.takes(key) && !(absent.isEmpty() && key.equals(other.key()))) {
                reading.strangers(section, List.of(key), other.owner());
                return;
            }
        }
    }

    @Override
    public R read(Settings section, R otherwise, Reading reading) {
        for (Kind<? extends R> kind : kinds) {
            if (section.has(kind.key())) {
                section.keys().forEach(key -> strangers(kind, section, key, reading));
                return kind.read(section, otherwise, reading);
            }
        }
        return otherwise;
    }

    private Kind<? extends R> kind(R value) {
        return kinds.stream().filter(kind -> kind.has(value)).findFirst().orElseThrow();
    }

    /// The record as it stands in a file.
    public Map<String, Object> write(R value) {
        Kind<? extends R> kind = kind(value);
        return kind.write(value, kind.keys().defaults());
    }

    @Override
    public Map<String, Object> write(R value, R otherwise) {
        return !absent.isEmpty() && value.equals(otherwise)
                ? Map.of()
                : kind(value).write(value, otherwise);
    }
}
