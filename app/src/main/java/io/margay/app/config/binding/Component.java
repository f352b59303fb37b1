package io.margay.app.config.binding;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A component of a record, and what sets it in a builder; both are there, or the class that names
/// it is not. Immutable.
record Component<R, B, V>(Method getter, BiConsumer<B, V> setter) {
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
            Method getter = record.getClass().getMethod(name);
            if (builder instanceof Draft<?>) {
                return new Component<>(getter, (to, value) -> ((Draft<?>) to).set(name, value));
            }
            Method setter =
                    Arrays.stream(builder.getClass().getMethods())
                            .filter(one ->
                                    one.getName().equals(name) && one.getParameterCount() == 1)
                            .findFirst()
                            .orElseThrow(() -> new NoSuchMethodException(name));
            return new Component<>(
                    getter,
                    (to, value) -> {
                        Object _ = Draft.reflected(() -> setter.invoke(to, value));
                    });
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(record.getClass() + " has no " + name, e);
        }
    }

    /// The class of this name among those of its sealed type.
    Class<? extends Record> kind(String name) {
        return Arrays.stream(getter.getReturnType().getPermittedSubclasses())
                .filter(one -> one.getSimpleName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(getter + " has no " + name))
                .asSubclass(Record.class);
    }

    /// The form that its type says.
    Form<V> form() {
        return Forms.ofType(getter.getReturnType(), getter.getName());
    }

    @SuppressWarnings("unchecked")
    @Nullable V get(R record) {
        return (V) Draft.reflected(() -> getter.invoke(record));
    }

    void set(B builder, V value) {
        setter.accept(builder, value);
    }
}
