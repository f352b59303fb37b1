package io.margay.app.jmx;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ReflectionException;
import org.jspecify.annotations.Nullable;

/// An MBean whose attributes are read from a reading that is taken when somebody asks. Thread-safe;
/// nothing can be changed through it.
final class ReadOnlyBean<T> implements DynamicMBean {
    private final String type;
    private final Supplier<@Nullable T> source;
    private final Supplier<List<Property<T>>> properties;

    /// An attribute.
    ///
    /// @param type of its values
    /// @param value of a reading
    record Property<T>(String name, Class<?> type, String description, Function<T, Object> value) {}

    /// @param type what it is, in a few words
    /// @param source of readings; gives null when what it reads of is gone
    ReadOnlyBean(String type, Supplier<@Nullable T> source, List<Property<T>> properties) {
        this(type, source, () -> properties);
    }

    /// @param properties those of now
    ReadOnlyBean(
            String type, Supplier<@Nullable T> source, Supplier<List<Property<T>>> properties) {
        this.type = type;
        this.source = source;
        this.properties = properties;
    }

    @Override
    public @Nullable Object getAttribute(String name) throws AttributeNotFoundException {
        T reading = source.get();
        for (Property<T> property : properties.get()) {
            if (reading != null && property.name.equals(name)) {
                return property.value.apply(reading);
            }
        }
        throw new AttributeNotFoundException("Cannot find attribute [" + name + "]");
    }

    @Override
    public AttributeList getAttributes(String[] names) {
        List<String> wanted = List.of(names);
        AttributeList values = new AttributeList();
        T reading = source.get();
        if (reading != null) {
            for (Property<T> property : properties.get()) {
                if (wanted.contains(property.name)) {
                    values.add(new Attribute(property.name, property.value.apply(reading)));
                }
            }
        }
        return values;
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException(
                "Attribute [" + attribute.getName() + "] is read-only");
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public @Nullable Object invoke(String name, Object[] values, String[] types)
            throws ReflectionException {
        throw new ReflectionException(
                new NoSuchMethodException(name), "There is no operation [" + name + "]");
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        List<MBeanAttributeInfo> infos = new ArrayList<>();
        for (Property<T> property : properties.get()) {
            infos.add(
                    new MBeanAttributeInfo(
                            property.name,
                            property.type.getName(),
                            property.description,
                            true,
                            false,
                            false));
        }
        return new MBeanInfo(
                ReadOnlyBean.class.getName(),
                type,
                infos.toArray(MBeanAttributeInfo[]::new),
                null,
                null,
                null);
    }
}
