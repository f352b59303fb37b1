package io.margay.servlet.naming;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Sets properties of objects, given as text. Stateless.
final class BeanProperty {
    private BeanProperty() {}

    /// @throws ReflectiveOperationException when there is no such property, or it takes no such
    ///   value
    static void set(Object bean, String name, String text) throws ReflectiveOperationException {
        String setter = "set" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        for (Method method : bean.getClass().getMethods()) {
            if (!method.getName().equals(setter) || method.getParameterCount() != 1) {
                continue;
            }
            Object value;
            try {
                value = EntryValue.convert(text, method.getParameterTypes()[0]);
            } catch (IllegalArgumentException e) {
                throw new ReflectiveOperationException(
                        "property " + name + ": " + e.getMessage(), e);
            }
            if (value != null) {
                call(bean, method, name, value);
                return;
            }
        }
        throw new NoSuchMethodException(
                bean.getClass().getName() + " has no property " + name + " that a text can be for");
    }

    /// Sets the property if there is one.
    static boolean setIfThere(Object bean, String name, @Nullable String text)
            throws ReflectiveOperationException {
        String setter = "set" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        for (Method method : bean.getClass().getMethods()) {
            if (text != null
                    && method.getName().equals(setter)
                    && method.getParameterCount() == 1) {
                set(bean, name, text);
                return true;
            }
        }
        return false;
    }

    private static void call(Object bean, Method method, String name, Object value)
            throws ReflectiveOperationException {
        try {
            method.trySetAccessible();
            method.invoke(bean, value);
        } catch (InvocationTargetException e) {
            throw new ReflectiveOperationException(
                    "property " + name + ": " + e.getCause(), e.getCause());
        }
    }
}
