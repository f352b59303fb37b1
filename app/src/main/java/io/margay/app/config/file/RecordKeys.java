package io.margay.app.config.file;

import io.margay.app.yaml.Amounts;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Keys that mirror the components of another module's record of limits, so that every named limit
/// can be set without being named twice: `headBytesMax` is `head-bytes-max`. Immutable.
///
/// @param says what the section describes
/// @param defaults the values of absent keys
/// @param meanings what each key means, by its name; a component without an entry has no key
record RecordKeys<T extends Record>(String says, T defaults, Map<String, String> meanings) {
    /// The name of the key of a component.
    static String key(String component) {
        return component.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    Shape.Section shape() {
        List<Shape.Key> keys = new ArrayList<>();
        for (RecordComponent component : components()) {
            String key = key(component.getName());
            keys.add(
                    Shape.optional(
                            key,
                            shape(component),
                            write(value(component, defaults)),
                            meanings.getOrDefault(key, "")));
        }
        return new Shape.Section(says, keys, List.of());
    }

    /// The keys of what differs between two records, with the values of the first.
    Map<String, String> changed(T record, T other) {
        Map<String, String> found = new LinkedHashMap<>();
        for (RecordComponent component : components()) {
            Object value = value(component, record);
            if (!value.equals(value(component, other))) {
                found.put(key(component.getName()), write(value));
            }
        }
        return found;
    }

    private List<RecordComponent> components() {
        return Arrays.stream(defaults.getClass().getRecordComponents())
                .filter(component -> meanings.containsKey(key(component.getName())))
                .toList();
    }

    private static Shape shape(RecordComponent component) {
        Class<?> type = component.getType();
        boolean bytes = component.getName().contains("Bytes");
        if (type == int.class || type == long.class) {
            long max = type == int.class ? Integer.MAX_VALUE : Long.MAX_VALUE;
            long min = type == int.class ? 0 : -1;
            return bytes ? Shape.bytes(min, max) : Shape.whole(min, max);
        }
        if (type == Duration.class) {
            return Shape.duration();
        }
        if (type == boolean.class) {
            return Shape.flag();
        }
        throw new IllegalStateException("no key for " + component);
    }

    private static String write(Object value) {
        return value instanceof Duration duration ? Amounts.write(duration) : value.toString();
    }

    /// The record with what was set; the defaults when a problem was found.
    T read(Optional<Settings> section, List<Problem> problems) {
        if (section.isEmpty()) {
            return defaults;
        }
        Settings settings = section.get();
        RecordComponent[] components = defaults.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            Object value = value(components[i], defaults);
            Class<?> type = components[i].getType();
            String key = key(components[i].getName());
            values[i] =
                    type == int.class
                            ? (Object)
                                    settings.number(key)
                                            .map(Math::toIntExact)
                                            .orElse((Integer) value)
                            : settings.get(key, Object.class).orElse(value);
        }
        try {
            return make(components, values);
        } catch (IllegalArgumentException e) {
            problems.add(new Problem(settings.position(), says + ": " + named(e, components)));
            return defaults;
        }
    }

    /// The message of a record, with its components called by their keys.
    private static String named(Exception e, RecordComponent[] components) {
        String message = String.valueOf(e.getMessage());
        for (RecordComponent component : components) {
            String name = component.getName();
            message = message.replaceAll("\\b" + name + "\\b", key(name));
        }
        return message;
    }

    private static Object value(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component.toString(), e);
        }
    }

    @SuppressWarnings("unchecked")
    private T make(RecordComponent[] components, Object[] values) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = defaults.getClass().getConstructor(types);
            return (T) constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
