package io.margay.app.config.binding;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A component of a record, which is looked up when it is used for the first time.
final class Component<R, V> {
    private final Class<?> record;

    /// That in which it is; null = it is one of the record itself.
    private final @Nullable Component<R, Object> outer;

    private final String name;
    private volatile @Nullable Method getter;

    /// What it was when it was last asked for: thousands of sections have one default.
    private volatile @Nullable Known last;

    private record Known(Object of, @Nullable Object value) {}

    /// @param name its own, or `outer.name` for one of a component, where that has it
    Component(Class<?> record, String name) {
        int dot = name.indexOf('.');
        this.record = record;
        outer = dot < 0 ? null : new Component<>(record, name.substring(0, dot));
        this.name = name.substring(dot + 1);
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
                known = (outer == null ? record : outer.getter().getReturnType()).getMethod(name);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(record + " has no " + name, e);
            }
            getter = known;
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

    @SuppressWarnings({"unchecked", "ReferenceEquality"}) // the very object
    @Nullable V get(R of) {
        if (outer != null) {
            Object inner = outer.get(of);
            return inner == null ? null : new Draft<>(inner).find(name);
        }
        Known known = last;
        if (known == null || known.of != of) {
            known = new Known(of, Draft.reflected(() -> getter().invoke(of)));
            last = known;
        }
        return (V) known.value;
    }

    void set(Draft<R> draft, V value) {
        if (outer == null) {
            draft.set(name, value);
            return;
        }
        Draft<Object> inner = new Draft<>(draft.get(outer.name));
        if (inner.takes(name, value)) {
            draft.set(outer.name, inner.set(name, value).build());
        }
    }
}
