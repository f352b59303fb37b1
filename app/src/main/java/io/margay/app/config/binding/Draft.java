package io.margay.app.config.binding;

import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A record that is being made: its components by name, which its canonical constructor checks at
/// the end. Used by one thread.
public final class Draft<R> {
    private static final ClassValue<Plan> PLANS =
            new ClassValue<>() {
                @Override
                protected Plan computeValue(Class<?> type) {
                    return Plan.of(type);
                }
            };

    /// What it has until a component is set.
    private R from;

    /// Empty until then, for asking each component takes time of a start.
    private @Nullable Object[] values = {};

    /// The components of a class of records.
    private static final class Plan {
        final List<Method> getters;
        final RecordMaker maker;
        final Map<String, Integer> places;

        /// Of the last record that was asked for all: thousands of sections have one default.
        private volatile @Nullable Filled last;

        /// @param values of all components
        @SuppressWarnings("ArrayRecordComponent") // never compared
        private record Filled(Object from, @Nullable Object[] values) {}

        Plan(List<Method> getters, RecordMaker maker, Map<String, Integer> places) {
            this.getters = getters;
            this.maker = maker;
            this.places = places;
        }

        /// What all components of a record are, not to be changed.
        @SuppressWarnings("ReferenceEquality") // the very object
        @Nullable Object[] values(Object of) {
            Filled known = last;
            if (known == null || known.from != of) {
                @Nullable Object[] values = new Object[getters.size()];
                for (int i = 0; i < values.length; i++) {
                    Method getter = getters.get(i);
                    values[i] = reflected(() -> getter.invoke(of));
                }
                known = new Filled(of, values);
                last = known;
            }
            return known.values;
        }

        int place(String component) {
            Integer place = places.get(component);
            if (place == null) {
                throw new IllegalStateException(maker.constructor() + " has no " + component);
            }
            return place;
        }

        static Plan of(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            Map<String, Integer> places = new HashMap<>();
            for (int i = 0; i < components.length; i++) {
                places.put(components[i].getName(), i);
            }
            return new Plan(
                    Arrays.stream(components).map(RecordComponent::getAccessor).toList(),
                    RecordMaker.of(type),
                    places);
        }
    }

    /// A record with what another one has.
    public Draft(R from) {
        this.from = from;
    }

    /// Sets all components.
    public void become(R other) {
        from = other;
        values = new Object[0];
    }

    private Plan plan() {
        return PLANS.get(from.getClass());
    }

    /// Whether it has a component that can be this.
    public boolean takes(String component, Object value) {
        Plan plan = plan();
        Integer place = plan.places.get(component);
        return place != null
                && MethodType.methodType(plan.maker.type(place))
                        .wrap()
                        .returnType()
                        .isInstance(value);
    }

    /// What a component is now.
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public <V> V get(String component) {
        return Objects.requireNonNull(this.<V>find(component), component);
    }

    /// The same; null also where there is no such component.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    <V> @Nullable V find(String component) {
        Plan plan = plan();
        Integer place = plan.places.get(component);
        if (place == null) {
            return null;
        }
        return (V)
                (values.length == 0
                        ? reflected(() -> plan.getters.get(place).invoke(from))
                        : values[place]);
    }

    /// Sets a component.
    ///
    /// @throws IllegalStateException when there is none of the name
    public Draft<R> set(String component, @Nullable Object value) {
        Plan plan = plan();
        int place = plan.place(component);
        if (values.length == 0) {
            values = plan.values(from).clone();
        }
        values[place] = value;
        return this;
    }

    /// The record.
    ///
    /// @throws IllegalArgumentException when it refuses what its components are
    @SuppressWarnings("unchecked")
    public R build() {
        return values.length == 0 ? from : (R) plan().maker.make(values);
    }

    /// The form that a class of records says by itself: a flag where it has no component, else that
    /// of its only one.
    static Form<?> form(Class<? extends Record> kind) {
        Plan plan = PLANS.get(kind);
        if (plan.getters.isEmpty()) {
            Object only = plan.maker.make();
            return Forms.flag().as(_ -> only, _ -> true);
        }
        Method getter = plan.getters.getFirst();
        return Forms.ofType(getter.getReturnType(), getter.getName());
    }

    /// The form of a record, of that of its only component.
    @SuppressWarnings("unchecked")
    static <S extends Record> Form<S> whole(Class<S> kind, Form<?> form) {
        Plan plan = PLANS.get(kind);
        return plan.getters.size() != 1
                ? (Form<S>) form
                : ((Form<Object>) form)
                        .as(
                                value -> (S) plan.maker.make(value),
                                one ->
                                        Objects.requireNonNull(
                                                reflected(() ->
                                                        plan.getters.getFirst().invoke(one))));
    }

    /// A call by reflection.
    @FunctionalInterface
    interface Call {
        @Nullable Object call() throws ReflectiveOperationException;
    }

    /// What a call returns; what it throws is thrown.
    static @Nullable Object reflected(Call call) {
        try {
            return call.call();
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
