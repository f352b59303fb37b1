package io.margay.servlet.engine.registration;

import java.util.Collections;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Initialisation parameters of a context, servlet or filter. Written by the starting thread only,
/// then read by all.
public final class InitParameters {
    private final Map<String, String> values;

    public InitParameters(Map<String, String> values) {
        this.values = new LinkedHashMap<>(values);
    }

    public boolean set(@Nullable String name, @Nullable String value) {
        requireBoth(name, value);
        return values.putIfAbsent(name, value) == null;
    }

    /// Sets all or, when any is set already, none; answers the names in conflict.
    Set<String> setAll(Map<String, String> added) {
        Set<String> conflicts = new HashSet<>();
        added.forEach((name, value) -> {
            requireBoth(name, value);
            if (values.containsKey(name)) {
                conflicts.add(name);
            }
        });
        if (conflicts.isEmpty()) {
            values.putAll(added);
        }
        return conflicts;
    }

    public @Nullable String get(String name) {
        return values.get(name);
    }

    public Enumeration<String> names() {
        return Collections.enumeration(values.keySet());
    }

    Map<String, String> map() {
        return Collections.unmodifiableMap(values);
    }

    private static void requireBoth(@Nullable String name, @Nullable String value) {
        if (name == null || value == null) {
            throw new IllegalArgumentException("an initialisation parameter must not be null");
        }
    }
}
