package io.margay.app.yaml;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A section that fits its shape: values by key, with their positions. Filled by one thread, read
/// afterwards.
public final class Settings {
    private final Position position;
    private final Map<String, Object> values = new LinkedHashMap<>();
    private final Map<String, Position> positions = new LinkedHashMap<>();

    Settings(Position position) {
        this.position = position;
    }

    void put(String key, Position at, Object value) {
        values.put(key, value);
        positions.put(key, at);
    }

    /// A value that was reported as a problem: the key was given, and there is no value.
    void wrong(String key, Position at) {
        positions.put(key, at);
    }

    /// Where the section begins.
    public Position position() {
        return position;
    }

    /// Where the key stands, or the section when it is absent.
    public Position position(String key) {
        return positions.getOrDefault(key, position);
    }

    /// The keys that were given, in their order.
    public List<String> keys() {
        return List.copyOf(values.keySet());
    }

    public boolean has(String key) {
        return values.containsKey(key);
    }

    /// The same, or it has a value that does not fit its shape, which was reported already.
    public boolean isGiven(String key) {
        return positions.containsKey(key);
    }

    /// The value that the key's shape made.
    public <T> Optional<T> get(String key, Class<T> type) {
        return Optional.ofNullable(values.get(key)).map(type::cast);
    }

    public Optional<String> text(String key) {
        return get(key, String.class);
    }

    public Optional<Long> number(String key) {
        return get(key, Long.class);
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
        return values.get(key) instanceof List<?> list
                ? list.stream().<T>map(type::cast).toList()
                : List.of();
    }

    /// The texts of a section with free keys; empty when the key is absent.
    public Map<String, String> texts(String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        section(key)
                .ifPresent(free ->
                        free.keys().forEach(name -> texts.put(name, free.text(name).orElse(""))));
        return texts;
    }
}
