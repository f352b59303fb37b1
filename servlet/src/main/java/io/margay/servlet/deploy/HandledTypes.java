package io.margay.servlet.deploy;

import io.margay.servlet.descriptor.ClassHeader;
import java.lang.System.Logger.Level;
import java.lang.annotation.Inherited;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Finds the classes of an application, and of libraries that it shares, that extend, implement or
/// carry given types (`@HandlesTypes`, Servlet 6.1 §8.2.4), directly or through others. Confined to
/// the deploying thread.
final class HandledTypes {
    private static final System.Logger LOG = System.getLogger(HandledTypes.class.getName());

    private final List<ClassHeader> headers;
    private final ClassLoader loader;

    /// Who directly extends or implements a type, among these classes.
    private final Map<String, List<String>> children = new HashMap<>();

    /// Super types that are none of these classes.
    private final Set<String> outside = new HashSet<>();

    /// @param headers the classes of the application's archives and of shared libraries
    /// @param loader of the application
    HandledTypes(List<ClassHeader> headers, ClassLoader loader) {
        this.headers = headers;
        this.loader = loader;
        Set<String> own = new HashSet<>();
        for (ClassHeader type : headers) {
            own.add(type.name());
            child(type.superName(), type);
            type.interfaces().forEach(parent -> child(parent, type));
        }
        for (String parent : children.keySet()) {
            if (!own.contains(parent)) {
                outside.add(parent);
            }
        }
    }

    private void child(@Nullable String parent, ClassHeader type) {
        if (parent != null && !parent.equals("java.lang.Object")) {
            children.computeIfAbsent(parent, _ -> new ArrayList<>()).add(type.name());
        }
    }

    /// The classes for these types, by name; those that cannot be loaded are left out, as the
    /// specification wants.
    Set<Class<?>> of(Class<?>... wanted) {
        Set<String> names = new TreeSet<>();
        for (Class<?> type : wanted) {
            if (type.isAnnotation()) {
                carriers(type, names);
            }
            if (!type.equals(Object.class)) {
                names.addAll(below(roots(type)));
            }
        }
        Set<Class<?>> classes = new LinkedHashSet<>();
        for (String name : names) {
            Class<?> type = load(name, loader);
            if (type != null) {
                classes.add(type);
            }
        }
        return classes;
    }

    /// Classes with the annotation on themselves, a method, a field or a parameter.
    private void carriers(Class<?> annotation, Set<String> names) {
        Set<String> carrying = new HashSet<>();
        for (ClassHeader type : headers) {
            if (type.onClass().contains(annotation.getName())
                    || type.onMembers().contains(annotation.getName())) {
                carrying.add(type.name());
            }
        }
        names.addAll(carrying);
        if (annotation.isAnnotationPresent(Inherited.class)) {
            names.addAll(below(carrying));
        }
    }

    /// The type itself and all types outside these classes that are of it. Nothing outside is of a
    /// type that the application brings, and nothing of the JDK of a type that is not its own.
    private Set<String> roots(Class<?> type) {
        Set<String> roots = new HashSet<>();
        roots.add(type.getName());
        ClassLoader home = type.getClassLoader();
        if (loader.equals(home)) {
            return roots;
        }
        for (String name : outside) {
            boolean platform = name.startsWith("java.");
            Class<?> candidate = platform && home != null ? null : load(name, loader.getParent());
            if (candidate != null && type.isAssignableFrom(candidate)) {
                roots.add(name);
            }
        }
        return roots;
    }

    private Set<String> below(Set<String> roots) {
        Set<String> found = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(roots);
        while (!open.isEmpty()) {
            for (String child : children.getOrDefault(open.pop(), List.of())) {
                if (found.add(child)) {
                    open.push(child);
                }
            }
        }
        return found;
    }

    private static @Nullable Class<?> load(String name, @Nullable ClassLoader from) {
        try {
            return Class.forName(name, false, from);
        } catch (ClassNotFoundException | LinkageError e) {
            LOG.log(Level.DEBUG, "{0} is not handed to initializers: {1}", name, e.toString());
            return null;
        }
    }
}
