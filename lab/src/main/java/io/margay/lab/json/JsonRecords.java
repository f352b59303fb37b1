package io.margay.lab.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns records into JSON trees and back: an object with a member per component. Stateless.
///
/// A component is a text, a number, a boolean, an enum, a record, or a `List` or `Map<String, …>`
/// of such. A member that is absent gives an empty text, list or map, 0 or false, so that files of
/// an earlier version can be read; members that no component names are passed over.
public final class JsonRecords {
    private JsonRecords() {}

    /// The tree of a record, or of what a component may be.
    public static Object tree(Object value) {
        return switch (value) {
            case Record record -> {
                Map<String, Object> members = new LinkedHashMap<>();
                for (RecordComponent component : record.getClass().getRecordComponents()) {
                    members.put(component.getName(), tree(get(record, component)));
                }
                yield members;
            }
            case List<?> list -> list.stream().map(JsonRecords::tree).toList();
            case Map<?, ?> map -> {
                Map<String, Object> members = new LinkedHashMap<>();
                map.forEach((name, item) -> members.put(String.valueOf(name), tree(item)));
                yield members;
            }
            case Enum<?> constant -> constant.name();
            case Integer number -> number.longValue();
            default -> value;
        };
    }

    /// A record from its tree.
    ///
    /// @throws IllegalArgumentException if the tree is none of that record
    public static <T extends Record> T record(Class<T> type, Object tree) {
        Map<String, Object> members = Json.object(tree);
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String name = components[i].getName();
            types[i] = components[i].getType();
            try {
                values[i] = value(components[i].getGenericType(), members.get(name));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
            }
        }
        try {
            Constructor<T> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(String.valueOf(e.getCause()), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object get(Record record, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object value(Type type, @Nullable Object tree) {
        return switch (type) {
            case ParameterizedType generic -> collection(generic, tree);
            case Class<?> plain -> plain(plain, tree);
            default -> throw new IllegalStateException("no component may be a " + type);
        };
    }

    private static Object collection(ParameterizedType type, @Nullable Object tree) {
        Type[] of = type.getActualTypeArguments();
        if (type.getRawType() == List.class) {
            List<Object> items = new ArrayList<>();
            for (Object item : tree == null ? List.of() : Json.array(tree)) {
                items.add(value(of[0], item));
            }
            return items;
        }
        Map<String, Object> members = new LinkedHashMap<>();
        if (tree != null) {
            Json.object(tree).forEach((name, item) -> members.put(name, value(of[1], item)));
        }
        return members;
    }

    private static Object plain(Class<?> type, @Nullable Object tree) {
        if (type.isRecord()) {
            return record(type.asSubclass(Record.class), tree == null ? Map.of() : tree);
        }
        if (type.isEnum()) {
            for (Object constant : type.getEnumConstants()) {
                if (constant.toString().equals(tree)) {
                    return constant;
                }
            }
            throw new IllegalArgumentException("is none of the known words: " + tree);
        }
        if (type == String.class) {
            return tree == null ? "" : String.valueOf(tree);
        }
        if (type == boolean.class || type == Boolean.class) {
            return Boolean.TRUE.equals(tree);
        }
        if (tree != null && !(tree instanceof Number)) {
            throw new IllegalArgumentException("expected a number, not " + Json.kind(tree));
        }
        double number = tree instanceof Number n ? n.doubleValue() : 0;
        long whole = tree instanceof Number n ? n.longValue() : 0;
        if (type == int.class || type == Integer.class) {
            return Math.toIntExact(whole);
        }
        if (type == long.class || type == Long.class) {
            return whole;
        }
        if (type == double.class || type == Double.class) {
            return number;
        }
        throw new IllegalStateException("no component may be a " + type);
    }
}
