package io.margay.app.config.binding;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A component of a record, and what sets it in a builder; both are there, or the class that names
/// it is not. Immutable.
record Component<R, B, V>(Method getter, Method setter) {
    /// The component that a key is: `idle-timeout` is `idleTimeout`.
    static String named(String key) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c == '-') {
                i++;
                name.append(Character.toUpperCase(key.charAt(i)));
            } else {
                name.append(c);
            }
        }
        return name.toString();
    }

    static <R, B, V> Component<R, B, V> of(R record, B builder, String name) {
        try {
            return new Component<>(
                    record.getClass().getMethod(name),
                    Arrays.stream(builder.getClass().getMethods())
                            .filter(one ->
                                    one.getName().equals(name) && one.getParameterCount() == 1)
                            .findFirst()
                            .orElseThrow(() -> new NoSuchMethodException(name)));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(record.getClass() + " has no " + name, e);
        }
    }

    @SuppressWarnings("unchecked")
    @Nullable V get(R record) {
        return (V) call(getter, record);
    }

    void set(B builder, V value) {
        Object _ = call(setter, builder, value);
    }

    private static @Nullable Object call(Method method, Object of, Object... arguments) {
        try {
            return method.invoke(of, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
