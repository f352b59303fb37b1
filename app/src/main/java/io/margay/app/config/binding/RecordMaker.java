package io.margay.app.config.binding;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes records of a class of all their components. Immutable.
///
/// @param constructor the canonical one
/// @param builder makes a builder of records; null = the constructor is called
/// @param setters of a builder, in the order of components
record RecordMaker(
        Constructor<?> constructor,
        @Nullable Method builder,
        List<Method> setters,
        @Nullable Method build) {
    /// For each longer list of parameters the JVM makes code of its own at every start, some
    /// hundredths of a second; setters of builders have one parameter.
    private static final int PARAMETERS_MAX = 3;

    static RecordMaker of(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = type.getConstructor(types);
            Class<?> made = types.length > PARAMETERS_MAX ? builder(type) : null;
            if (made == null) {
                return new RecordMaker(constructor, null, List.of(), null);
            }
            List<Method> setters = new ArrayList<>();
            for (RecordComponent component : components) {
                setters.add(made.getMethod(component.getName(), component.getType()));
            }
            return new RecordMaker(
                    constructor, made.getMethod("builder"), setters, made.getMethod("build"));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type + " is not public", e);
        }
    }

    /// The builder that is generated for a class; null = none is.
    private static @Nullable Class<?> builder(Class<?> type) {
        String inPackage = type.getName().substring(type.getPackageName().length() + 1);
        String name = type.getPackageName() + "." + inPackage.replace("$", "") + "Builder";
        try {
            return Class.forName(name, false, type.getClassLoader());
        } catch (ClassNotFoundException _) {
            return null;
        }
    }

    /// The class of a component.
    Class<?> type(int place) {
        return constructor.getParameterTypes()[place];
    }

    /// @throws IllegalArgumentException when the constructor refuses them
    Object make(@Nullable Object... values) {
        Method first = builder;
        Method last = build;
        if (first == null || last == null) {
            return Objects.requireNonNull(Draft.reflected(() -> constructor.newInstance(values)));
        }
        Object made = Objects.requireNonNull(Draft.reflected(() -> first.invoke(null)));
        for (int i = 0; i < values.length; i++) {
            Method setter = setters.get(i);
            Object value = values[i];
            Object _ = Draft.reflected(() -> setter.invoke(made, value));
        }
        return Objects.requireNonNull(Draft.reflected(() -> last.invoke(made)));
    }
}
