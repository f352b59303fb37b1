package io.margay.servlet.inject;

import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.Injected;
import io.margay.servlet.descriptor.WebAppDescriptor.InjectionTarget;
import io.margay.servlet.naming.Naming;
import jakarta.annotation.Resource;
import java.lang.System.Logger.Level;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/// Puts resources into fields and setters of an application's components: those with `@Resource`
/// (Jakarta Annotations 3.0 §2.3) and those that web.xml names as `injection-target`. Immutable.
public final class Injector {
    private static final System.Logger LOG = System.getLogger(Injector.class.getName());

    private final @Nullable Naming naming;
    private final boolean annotations;

    /// Names of the naming context by class and member.
    private final Map<String, Map<String, String>> declared = new HashMap<>();

    private Injector(@Nullable Naming naming, boolean annotations) {
        this.naming = naming;
        this.annotations = annotations;
    }

    /// For what annotations alone say.
    ///
    /// @param naming null = there are no names, so that nothing is injected
    public static Injector of(@Nullable Naming naming) {
        return new Injector(naming, true);
    }

    /// For what annotations and an application's descriptor say.
    public static Injector of(@Nullable Naming naming, WebAppDescriptor descriptor) {
        Injector injector = new Injector(naming, !descriptor.general().metadataComplete());
        descriptor.naming().envEntries().forEach(entry -> injector.declare(entry.name(), entry));
        descriptor.naming().resourceRefs().forEach(entry -> injector.declare(entry.name(), entry));
        return injector;
    }

    private void declare(String name, Injected<?> entry) {
        for (InjectionTarget target : entry.targets()) {
            declared.computeIfAbsent(target.className(), _ -> new HashMap<>())
                    .put(target.member(), name);
        }
    }

    /// A field or setter, and what goes into it.
    ///
    /// @param lookup where to look when nothing has the name; empty = nowhere
    record Injection(Member member, Class<?> type, String name, String lookup) {}

    /// What is put into components of a class, the topmost super class first.
    List<Injection> plan(Class<?> type) {
        List<Injection> found = new ArrayList<>();
        List<String> left = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            List<Injection> own = new ArrayList<>();
            ofClass(at, own);
            if (naming == null) {
                own.forEach(injection -> left.add(injection.member().getName()));
            } else {
                found.addAll(0, own);
            }
        }
        if (!left.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "{0} gets no resources, for its application has no names: {1}",
                    type.getName(),
                    String.join(", ", left));
        }
        return List.copyOf(found);
    }

    private void ofClass(Class<?> type, List<Injection> found) {
        Map<String, String> targets = declared.getOrDefault(type.getName(), Map.of());
        try {
            for (Field field : type.getDeclaredFields()) {
                add(field, field, field.getName(), field.getType(), targets, found);
            }
            for (Method method : type.getDeclaredMethods()) {
                if (isSetter(method)) {
                    String property = property(method.getName());
                    Class<?> wanted = method.getParameterTypes()[0];
                    boolean field =
                            found.stream()
                                    .anyMatch(i ->
                                            i.member() instanceof Field f
                                                    && f.getName().equals(property));
                    add(method, method, property, wanted, field ? Map.of() : targets, found);
                } else if (annotations && method.isAnnotationPresent(Resource.class)) {
                    LOG.log(
                            Level.WARNING,
                            "{0} is not a setter, so that nothing is injected",
                            method);
                }
            }
        } catch (LinkageError e) {
            // Members may name types that the application does not have.
            LOG.log(Level.DEBUG, "{0} cannot be looked through: {1}", type, e.toString());
        }
    }

    private static boolean isSetter(Method method) {
        return method.getName().startsWith("set")
                && method.getName().length() > 3
                && method.getParameterCount() == 1
                && method.getReturnType() == void.class;
    }

    /// `dataSource` of `setDataSource`, as JavaBeans have it.
    private static String property(String setter) {
        String name = setter.substring(3);
        boolean acronym = name.length() > 1 && Character.isUpperCase(name.charAt(1));
        return acronym ? name : name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    private <T extends AccessibleObject & Member> void add(
            T member,
            AnnotatedElement annotated,
            String property,
            Class<?> type,
            Map<String, String> targets,
            List<Injection> found) {
        String name = targets.get(property);
        String lookup = "";
        Resource resource = annotations ? annotated.getAnnotation(Resource.class) : null;
        if (resource != null) {
            lookup =
                    resource.lookup().isEmpty() && !resource.mappedName().isEmpty()
                            ? "java:global/" + resource.mappedName()
                            : resource.lookup();
            if (name == null) {
                name =
                        resource.name().isEmpty()
                                ? member.getDeclaringClass().getName() + "/" + property
                                : resource.name();
            }
        }
        if (name == null) {
            return;
        }
        if (Modifier.isStatic(member.getModifiers()) || Modifier.isFinal(fieldModifiers(member))) {
            LOG.log(Level.WARNING, "{0} is static or final, so that nothing is injected", member);
        } else if (member.trySetAccessible()) {
            found.add(new Injection(member, type, name, lookup));
        }
    }

    private static int fieldModifiers(Member member) {
        return member instanceof Field ? member.getModifiers() : 0;
    }

    /// Puts everything of the plan of its class into a component.
    ///
    /// @throws InvocationTargetException with what a setter threw, or why there is nothing to put
    void inject(Object component, List<Injection> plan) throws InvocationTargetException {
        Naming names = naming;
        if (names == null) {
            return;
        }
        for (Injection injection : plan) {
            try {
                Object value =
                        names.injected(injection.name(), injection.lookup(), injection.type());
                if (value != null) {
                    put(component, injection.member(), value);
                }
            } catch (NamingException | IllegalAccessException | IllegalArgumentException e) {
                throw new InvocationTargetException(
                        new IllegalStateException(
                                "the resource "
                                        + injection.name()
                                        + " cannot be injected into "
                                        + component.getClass().getName()
                                        + "."
                                        + injection.member().getName()
                                        + ": "
                                        + e.getMessage(),
                                e));
            }
        }
    }

    private static void put(Object component, Member member, Object value)
            throws IllegalAccessException, InvocationTargetException {
        if (member instanceof Field field) {
            field.set(component, value);
        } else if (member instanceof Method method) {
            method.invoke(component, value);
        }
    }
}
