package io.margay.servlet.deploy;

import java.lang.System.Logger.Level;
import java.lang.annotation.Inherited;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jspecify.annotations.Nullable;

/// Finds the classes of an application that extend, implement or carry given types
/// (`@HandlesTypes`, Servlet 6.1 §8.2.4), directly or through others. Confined to the deploying
/// thread.
final class HandledTypes {
    private static final System.Logger LOG = System.getLogger(HandledTypes.class.getName());

    private final Collection<? extends IndexView> indexes;
    private final ClassLoader loader;

    /// Who directly extends or implements a type, among the application's classes.
    private final Map<String, List<String>> children = new HashMap<>();

    /// Super types that are no classes of the application.
    private final Set<String> outside = new HashSet<>();

    HandledTypes(Collection<? extends IndexView> indexes, ClassLoader loader) {
        this.indexes = indexes;
        this.loader = loader;
        Set<String> own = new HashSet<>();
        for (IndexView index : indexes) {
            for (ClassInfo type : index.getKnownClasses()) {
                own.add(type.name().toString());
                child(type.superName(), type);
                type.interfaceNames().forEach(parent -> child(parent, type));
            }
        }
        for (String parent : children.keySet()) {
            if (!own.contains(parent) && !parent.equals("java.lang.Object")) {
                outside.add(parent);
            }
        }
    }

    private void child(@Nullable DotName parent, ClassInfo type) {
        if (parent != null) {
            children.computeIfAbsent(parent.toString(), _ -> new ArrayList<>())
                    .add(type.name().toString());
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
            Class<?> type = load(name);
            if (type != null) {
                classes.add(type);
            }
        }
        return classes;
    }

    /// Classes with the annotation on themselves, a method, a field or a parameter.
    private void carriers(Class<?> annotation, Set<String> names) {
        Set<String> onClass = new HashSet<>();
        for (IndexView index : indexes) {
            for (AnnotationInstance instance :
                    index.getAnnotations(DotName.createSimple(annotation.getName()))) {
                String carrier = carrier(instance.target());
                if (carrier != null) {
                    names.add(carrier);
                    onClass.add(carrier);
                }
            }
        }
        if (annotation.isAnnotationPresent(Inherited.class)) {
            names.addAll(below(onClass));
        }
    }

    private static @Nullable String carrier(AnnotationTarget target) {
        return switch (target.kind()) {
            case CLASS -> target.asClass().name().toString();
            case METHOD -> target.asMethod().declaringClass().name().toString();
            case FIELD -> target.asField().declaringClass().name().toString();
            case METHOD_PARAMETER ->
                    target.asMethodParameter().method().declaringClass().name().toString();
            case RECORD_COMPONENT -> target.asRecordComponent().declaringClass().name().toString();
            case TYPE -> null;
        };
    }

    /// The type itself and all types outside the application that are of it.
    private Set<String> roots(Class<?> type) {
        Set<String> roots = new HashSet<>();
        roots.add(type.getName());
        for (String name : outside) {
            Class<?> candidate = name.equals(type.getName()) ? null : load(name);
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

    private @Nullable Class<?> load(String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            LOG.log(Level.DEBUG, "{0} is not handed to initializers: {1}", name, e.toString());
            return null;
        }
    }
}
