package io.margay.servlet.naming;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes the values of environment entries of their text (Jakarta Platform 11 §5.4). Stateless.
final class EntryValue {
    /// The classes that entries may have, apart from enumerations.
    private static final List<Class<?>> TYPES =
            List.of(
                    String.class,
                    Character.class,
                    Integer.class,
                    Boolean.class,
                    Double.class,
                    Byte.class,
                    Short.class,
                    Long.class,
                    Float.class,
                    Class.class);

    private EntryValue() {}

    /// The class of an entry by its name; null when it is none that entries have.
    static @Nullable Class<?> type(String name, ClassLoader loader) {
        for (Class<?> type : TYPES) {
            if (type.getName().equals(name)) {
                return type;
            }
        }
        try {
            Class<?> type = Class.forName(name, false, loader);
            return type.isEnum() ? type : null;
        } catch (ClassNotFoundException | LinkageError _) {
            return null;
        }
    }

    /// Whether an entry, rather than a resource, is of the class of that name.
    static boolean isSimple(String name, ClassLoader loader) {
        return Class.forPrimitiveName(name) != null || type(name, loader) != null;
    }

    /// Whether an entry, rather than a resource, is of that class.
    static boolean isSimple(Class<?> type) {
        return type.isPrimitive() || type.isEnum() || TYPES.contains(type);
    }

    /// The value, or null when no text can be for that class.
    ///
    /// @throws IllegalArgumentException when the text is no value of it
    static @Nullable Object convert(String text, Class<?> type) {
        return convert(text, type, type.getClassLoader());
    }

    /// The same; `loader` finds the class that an entry of type `Class` names.
    static @Nullable Object convert(String text, Class<?> type, @Nullable ClassLoader loader) {
        try {
            return converted(text, type, loader);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("\"" + text + "\" is not a " + type.getName(), e);
        }
    }

    private static @Nullable Object converted(
            String text, Class<?> type, @Nullable ClassLoader loader) {
        if (type == String.class) {
            return text;
        }
        if (type == boolean.class || type == Boolean.class) {
            return Boolean.parseBoolean(text);
        }
        if (type == int.class || type == Integer.class) {
            return Integer.valueOf(text);
        }
        if (type == long.class || type == Long.class) {
            return Long.valueOf(text);
        }
        if (type == double.class || type == Double.class) {
            return Double.valueOf(text);
        }
        if (type == float.class || type == Float.class) {
            return Float.valueOf(text);
        }
        if (type == short.class || type == Short.class) {
            return Short.valueOf(text);
        }
        if (type == byte.class || type == Byte.class) {
            return Byte.valueOf(text);
        }
        if (type == char.class || type == Character.class) {
            if (text.length() != 1) {
                throw new IllegalArgumentException("\"" + text + "\" is not one character");
            }
            return text.charAt(0);
        }
        return other(text, type, loader);
    }

    private static @Nullable Object other(
            String text, Class<?> type, @Nullable ClassLoader loader) {
        if (type.isEnum()) {
            for (Object constant : type.getEnumConstants()) {
                if (((Enum<?>) constant).name().equals(text)) {
                    return constant;
                }
            }
            throw new IllegalArgumentException(
                    "\"" + text + "\" is none of " + Arrays.toString(type.getEnumConstants()));
        }
        if (type == Class.class) {
            try {
                return Class.forName(text, false, loader);
            } catch (ClassNotFoundException | LinkageError e) {
                throw new IllegalArgumentException("there is no class \"" + text + "\"", e);
            }
        }
        return null;
    }
}
