package io.margay.compat.tomcat.removed;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The methods of an application's class that an interface had before they were removed from it: an
/// application that wraps a response may have overridden `encodeUrl`, and is to be asked. What has
/// been found is kept with the class. Thread-safe.
final class OwnMethods {
    private static final ClassValue<Map<String, Optional<Method>>> FOUND =
            new ClassValue<>() {
                @Override
                protected Map<String, Optional<Method>> computeValue(Class<?> type) {
                    return new ConcurrentHashMap<>(); // At most one entry for each removed method.
                }
            };

    private OwnMethods() {}

    /// The receiver's own method; null when it has none.
    static @Nullable Method of(Object receiver, String name, Class<?>... parameters) {
        Class<?> type = receiver.getClass();
        return FOUND.get(type)
                .computeIfAbsent(name, _ -> Optional.ofNullable(find(type, name, parameters)))
                .orElse(null);
    }

    private static @Nullable Method find(Class<?> type, String name, Class<?>... parameters) {
        try {
            Method method = type.getMethod(name, parameters);
            boolean usable =
                    !Modifier.isStatic(method.getModifiers())
                            && !Modifier.isAbstract(method.getModifiers())
                            && method.trySetAccessible();
            return usable ? method : null;
        } catch (NoSuchMethodException | LinkageError e) {
            return null;
        }
    }

    /// Calls it; what it throws goes on as it is.
    static @Nullable Object call(Method method, Object receiver, @Nullable Object... arguments) {
        try {
            return method.invoke(receiver, arguments);
        } catch (InvocationTargetException e) {
            throw OwnMethods.<RuntimeException>sneaky(e.getCause() == null ? e : e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("it was made accessible", e);
        }
    }

    /// The bytecode of the caller has not changed, so a checked exception reaches who expects it.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T sneaky(Throwable cause) throws T {
        throw (T) cause;
    }
}
