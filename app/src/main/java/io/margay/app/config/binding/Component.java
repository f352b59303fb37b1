package io.margay.app.config.binding;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A component of a record, and what sets it in a builder. Both are looked up when they are used
/// for the first time.
final class Component<R, B, V> {
    private final Class<?> record;
    private final String name;
    private volatile @Nullable Method getter;
    private volatile @Nullable Method setter;

    Component(Class<?> record, String name) {
        this.record = record;
        this.name = name;
    }

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

    private Method getter() {
        Method known = getter;
        if (known == null) {
            try {
                known = record.getMethod(name);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(record + " has no " + name, e);
            }
            getter = known;
        }
        return known;
    }

    private Method setter(Class<?> builder) {
        Method known = setter;
        if (known == null) {
            known =
                    Arrays.stream(builder.getMethods())
                            .filter(one ->
                                    one.getName().equals(name) && one.getParameterCount() == 1)
                            .findFirst()
                            .orElseThrow(
                                    () -> new IllegalStateException(builder + " has no " + name));
            setter = known;
        }
        return known;
    }

    /// The class of this name among those of its sealed type.
    Class<? extends Record> kind(String simpleName) {
        return Arrays.stream(getter().getReturnType().getPermittedSubclasses())
                .filter(one -> one.getSimpleName().equals(simpleName))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(getter() + " has no " + simpleName))
                .asSubclass(Record.class);
    }

    /// The form that its type says.
    Form<V> form() {
        return Forms.ofType(getter().getReturnType(), name);
    }

    @SuppressWarnings("unchecked")
    @Nullable V get(R of) {
        return (V) Draft.reflected(() -> getter().invoke(of));
    }

    void set(B builder, V value) {
        if (builder instanceof Draft<?> draft) {
            draft.set(name, value);
        } else {
            Object _ = Draft.reflected(() -> setter(builder.getClass()).invoke(builder, value));
        }
    }
}
