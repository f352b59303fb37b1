package io.margay.servlet.inject;

import io.margay.servlet.naming.Naming;
import jakarta.servlet.ServletContext;
import java.lang.System.Logger.Level;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The CDI container that an application brings, such as Weld or OpenWebBeans: it fills the
/// `@Inject` members of servlets, filters, listeners, endpoints and tag handlers, which are made by
/// this container (Servlet 6.1 §15.5.15). The API belongs to the application, so that it is called
/// by its methods' names. Thread-safe; one for each application.
public final class Beans {
    /// The class of a bean manager.
    public static final String MANAGER = "jakarta.enterprise.inject.spi.BeanManager";

    private static final System.Logger LOG = System.getLogger(Beans.class.getName());
    private static final String INJECT = "jakarta.inject.Inject";
    private static final String SPI = "jakarta.enterprise.inject.spi.";
    private static final String CONTEXT = "jakarta.enterprise.context.spi.";

    /// Context attributes under which the CDI containers leave their bean managers.
    private static final List<String> ATTRIBUTES =
            List.of(MANAGER, "org.jboss.weld.environment.servlet." + MANAGER);

    private final ClassLoader loader;
    private volatile @Nullable ServletContext context;

    /// Of what lives as long as a WebSocket session, made when first asked for.
    private volatile @Nullable ComponentLife ofSessions;

    /// Made before the CDI container has started; guarded by itself.
    private final List<Object> waiting = new ArrayList<>();

    /// What each injected object has been given; guarded by itself.
    private final List<Object> given = new ArrayList<>();

    /// @param loader of the application
    public Beans(ClassLoader loader) {
        this.loader = loader;
    }

    /// Those of the application whose classes the loader loads.
    public static Beans of(@Nullable ClassLoader loader) {
        return loader instanceof BeanLoader own
                ? own.beans()
                : new Beans(loader == null ? Beans.class.getClassLoader() : loader);
    }

    /// The life of what is made for a single WebSocket session.
    public ComponentLife life() {
        ComponentLife known = ofSessions;
        if (known == null) {
            known = new ComponentLife(Injector.of(Naming.of(loader)), this);
            ofSessions = known;
        }
        return known;
    }

    /// Gives the context in which the CDI container will leave its bean manager.
    public void context(ServletContext of) {
        context = of;
    }

    /// The application's `BeanManager`, or null while there is none.
    public @Nullable Object manager() {
        ServletContext known = context;
        if (known != null) {
            for (String name : ATTRIBUTES) {
                Object manager = known.getAttribute(name);
                if (manager != null) {
                    return manager;
                }
            }
        }
        return null;
    }

    /// Whether a class, or one that it extends, asks for beans.
    static boolean wanted(Class<?> type) {
        try {
            for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
                boolean found =
                        Stream.<AnnotatedElement>concat(
                                        Stream.of(at.getDeclaredFields()),
                                        Stream.of(at.getDeclaredMethods()))
                                .flatMap(member -> Stream.of(member.getDeclaredAnnotations()))
                                .map(Annotation::annotationType)
                                .anyMatch(annotation -> annotation.getName().equals(INJECT));
                if (found && !Modifier.isAbstract(type.getModifiers())) {
                    return true;
                }
            }
        } catch (LinkageError e) {
            // Members may name types that the application does not have.
            LOG.log(Level.DEBUG, "{0} cannot be looked through: {1}", type, e.toString());
        }
        return false;
    }

    /// Fills the members of an object, now, or by [#injectWaiting] once there are beans.
    ///
    /// @param forGood whether it lives until [#releaseAll]
    /// @return what the members depend on; null when there is nothing to [#release]
    /// @throws InvocationTargetException with why the CDI container refuses
    @Nullable Object inject(Object component, boolean forGood) throws InvocationTargetException {
        Object manager = manager();
        if (manager == null) {
            synchronized (waiting) {
                if (forGood) {
                    waiting.add(component);
                }
            }
            return null;
        }
        try {
            Object scope = fill(manager, component);
            if (!forGood) {
                return scope;
            }
            synchronized (given) {
                given.add(scope);
            }
            return null;
        } catch (ReflectiveOperationException e) {
            Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
            throw new InvocationTargetException(
                    new IllegalStateException(
                            "beans cannot be injected into "
                                    + component.getClass().getName()
                                    + ": "
                                    + (cause == null ? e : cause.getMessage()),
                            cause));
        }
    }

    /// What `InjectionTarget` does to an object that is not a bean itself.
    ///
    /// @return the `CreationalContext` that keeps what the object depends on
    private Object fill(Object manager, Object component) throws ReflectiveOperationException {
        Class<?> spi = type(MANAGER);
        Object annotated =
                call(spi, "createAnnotatedType", Class.class, manager, component.getClass());
        Object factory =
                call(
                        spi,
                        "getInjectionTargetFactory",
                        type(SPI + "AnnotatedType"),
                        manager,
                        annotated);
        Object target =
                call(
                        type(SPI + "InjectionTargetFactory"),
                        "createInjectionTarget",
                        type(SPI + "Bean"),
                        factory,
                        null);
        Object scope =
                call(spi, "createCreationalContext", type(CONTEXT + "Contextual"), manager, null);
        Method inject =
                type(SPI + "InjectionTarget")
                        .getMethod("inject", Object.class, type(CONTEXT + "CreationalContext"));
        inject.invoke(target, component, scope);
        return scope;
    }

    private Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(name, false, loader);
    }

    private static Object call(
            Class<?> type,
            String method,
            Class<?> parameter,
            Object target,
            @Nullable Object argument)
            throws ReflectiveOperationException {
        return type.getMethod(method, parameter).invoke(target, argument);
    }

    /// Fills the members of those that were made before there were beans.
    ///
    /// @throws InvocationTargetException with why the CDI container refuses
    public void injectWaiting() throws InvocationTargetException {
        if (manager() == null) {
            return;
        }
        List<Object> late;
        synchronized (waiting) {
            late = List.copyOf(waiting);
            waiting.clear();
        }
        for (Object component : late) {
            Object _ = inject(component, true);
        }
    }

    /// Says who has been left without beans, now that the application has started.
    public void tellLeftOut() {
        synchronized (waiting) {
            for (Object component : waiting) {
                LOG.log(
                        Level.WARNING,
                        "{0} has members with @Inject, which stay empty: the application has"
                                + " started no CDI container",
                        component.getClass().getName());
            }
            waiting.clear();
        }
    }

    /// Lets go of everything that injected objects depend on, while the CDI container still runs.
    public void releaseAll() {
        List<Object> scopes;
        synchronized (given) {
            scopes = new ArrayList<>(given);
            given.clear();
        }
        scopes.reversed().forEach(this::release);
    }

    /// Lets go of what the members of one object depend on.
    void release(@Nullable Object scope) {
        if (scope == null) {
            return;
        }
        try {
            type(CONTEXT + "CreationalContext").getMethod("release").invoke(scope);
        } catch (ReflectiveOperationException | LinkageError e) {
            LOG.log(Level.DEBUG, "beans could not be released", e);
        }
    }
}
