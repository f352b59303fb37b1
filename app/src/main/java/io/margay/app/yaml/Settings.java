package io.margay.app.yaml;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A section that fits its shape: values by key, with their positions. Filled by one thread, read
/// afterwards.
public final class Settings {
    private final Position position;

    /// In the order of the file; small, since files with many hosts have as many sections.
    private final Map<String, Given> given = new LinkedHashMap<>(4);

    /// A key that was given.
    ///
    /// @param value null where it does not fit its shape, which was reported
    private record Given(Position at, @Nullable Object value) {}

    Settings(Position position) {
        this.position = position;
    }

    void put(String key, Position at, Object value) {
        given.put(key, new Given(at, value));
    }

    /// A value that was reported as a problem: the key was given, and there is no value.
    void wrong(String key, Position at) {
        given.put(key, new Given(at, null));
    }

    /// Where the section begins.
    public Position position() {
        return position;
    }

    /// Where the key stands, or the section when it is absent.
    public Position position(String key) {
        Given one = given.get(key);
        return one == null ? position : one.at;
    }

    /// The keys that were given, in their order.
    public List<String> keys() {
        List<String> keys = new ArrayList<>(given.size());
        given.forEach((key, one) -> {
            if (one.value != null) {
                keys.add(key);
            }
        });
        return keys;
    }

    public boolean has(String key) {
        return value(key) != null;
    }

    /// Whether one of the keys was given.
    public boolean hasAny(Set<String> keys) {
        for (String key : given.keySet()) {
            if (keys.contains(key)) {
                return true;
            }
        }
        return false;
    }

    /// Whether no other key was given.
    public boolean hasOnly(Set<String> keys) {
        for (String key : given.keySet()) {
            if (!keys.contains(key)) {
                return false;
            }
        }
        return true;
    }

    /// Whether all values that were given, and fit, are such.
    public boolean all(Predicate<Object> such) {
        for (Given one : given.values()) {
            if (one.value != null && !such.test(one.value)) {
                return false;
            }
        }
        return true;
    }

    /// The same as [#has], or it has a value that does not fit its shape, which was reported
    /// already.
    public boolean isGiven(String key) {
        return given.containsKey(key);
    }

    /// The value that the key's shape made.
    public <T> Optional<T> get(String key, Class<T> type) {
        Object value = value(key);
        return value == null ? Optional.empty() : Optional.of(type.cast(value));
    }

    private @Nullable Object value(String key) {
        Given one = given.get(key);
        return one == null ? null : one.value;
    }

    public Optional<String> text(String key) {
        return get(key, String.class);
    }

    public Optional<Duration> duration(String key) {
        return get(key, Duration.class);
    }

    /// A section below this one.
    public Optional<Settings> section(String key) {
        return get(key, Settings.class);
    }

    /// The items of a list; empty when the key is absent.
    public <T> List<T> list(String key, Class<T> type) {
        if (!(value(key) instanceof List<?> list)) {
            return List.of();
        }
        List<T> all = new ArrayList<>(list.size());
        list.forEach(one -> all.add(type.cast(one)));
        return Collections.unmodifiableList(all);
    }
}
