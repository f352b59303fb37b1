package io.margay.servlet.inject;

import io.margay.servlet.descriptor.WebAppDescriptor.Callbacks;
import io.margay.servlet.inject.Injector.Injection;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpUpgradeHandler;
import java.lang.System.Logger.Level;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Gives an application's components their resources and calls their `@PostConstruct` and
/// `@PreDestroy` methods (Jakarta Annotations 3.0 §2.3 to §2.6), or those that the descriptor names
/// for their class. Thread-safe; what it knows of a class is kept with the class, so that it goes
/// with the application.
public final class ComponentLife {
    private static final System.Logger LOG = System.getLogger(ComponentLife.class.getName());

    /// Nothing to do for most classes, so that the hot path of tag handlers is one look-up.
    private record Plan(
            List<Injection> injections,
            boolean beans,
            List<Method> postConstruct,
            List<Method> preDestroy) {}

    private final Injector injector;
    private final Beans beans;
    private final Callbacks callbacks;

    private final ClassValue<Plan> plans =
            new ClassValue<>() {
                @Override
                protected Plan computeValue(Class<?> type) {
                    return new Plan(
                            injector.plan(type),
                            Beans.wanted(type),
                            methods(type, PostConstruct.class, callbacks.postConstruct()),
                            methods(type, PreDestroy.class, callbacks.preDestroy()));
                }
            };

    /// Components with something to call at the end; guarded by itself.
    private final List<Object> mortals = new ArrayList<>();

    /// Components that [#destroyed] ends, with what their beans depend on; guarded by itself. As
    /// many as there are tag handlers and WebSocket sessions.
    private final IdentityHashMap<Object, @Nullable Object> current = new IdentityHashMap<>();

    /// For what annotations alone say.
    public ComponentLife(Injector injector, Beans beans) {
        this(injector, beans, Callbacks.NONE);
    }

    /// @param callbacks of the application's descriptor
    public ComponentLife(Injector injector, Beans beans, Callbacks callbacks) {
        this.injector = injector;
        this.beans = beans;
        this.callbacks = callbacks;
    }

    /// To be called once for each new component, before anything else uses it; [#destroyed] ends
    /// it.
    ///
    /// @throws InvocationTargetException with what its method threw, or why it cannot have a
    ///   resource
    public void created(Object component) throws InvocationTargetException {
        Plan plan = plans.get(component.getClass());
        Object scope = begin(component, plan, false);
        if (scope != null || !plan.preDestroy().isEmpty()) {
            synchronized (current) {
                current.put(component, scope);
            }
        }
    }

    /// Returns what the component's beans depend on, if anything.
    private @Nullable Object begin(Object component, Plan plan, boolean forGood)
            throws InvocationTargetException {
        injector.inject(component, plan.injections());
        Object scope = plan.beans() ? beans.inject(component, forGood) : null;
        try {
            for (Method method : plan.postConstruct()) {
                call(method, component);
            }
        } catch (InvocationTargetException e) {
            if (!forGood) {
                beans.release(scope);
            }
            throw e;
        }
        return scope;
    }

    /// Like [#created], and [#destroyAll] ends it, unless it belongs to a single request.
    ///
    /// @throws InvocationTargetException with what its method threw
    public void createdForGood(Object component) throws InvocationTargetException {
        boolean ofRequest =
                component instanceof AsyncListener || component instanceof HttpUpgradeHandler;
        Plan plan = plans.get(component.getClass());
        Object _ = begin(component, plan, !ofRequest);
        if (!ofRequest && !plan.preDestroy().isEmpty()) {
            synchronized (mortals) {
                mortals.add(component);
            }
        }
    }

    /// Ends all components, the latest first.
    ///
    /// @param failures told what a component threw
    public void destroyAll(BiConsumer<String, Throwable> failures) {
        List<Object> ending;
        synchronized (mortals) {
            ending = new ArrayList<>(mortals);
            mortals.clear();
        }
        for (Object component : ending.reversed()) {
            try {
                end(component);
            } catch (InvocationTargetException e) {
                failures.accept(
                        component.getClass().getName() + " failed in @PreDestroy", e.getCause());
            }
        }
    }

    /// To be called when a component that [#created] has begun is no longer used: calls its methods
    /// and lets go of its beans. Any other object is left as it is.
    ///
    /// @throws InvocationTargetException with what its method threw
    public void destroyed(Object component) throws InvocationTargetException {
        Object scope;
        synchronized (current) {
            if (!current.containsKey(component)) {
                return;
            }
            scope = current.remove(component);
        }
        try {
            end(component);
        } finally {
            beans.release(scope);
        }
    }

    private void end(Object component) throws InvocationTargetException {
        for (Method method : plans.get(component.getClass()).preDestroy().reversed()) {
            call(method, component);
        }
    }

    private static void call(Method method, Object component) throws InvocationTargetException {
        try {
            method.invoke(component);
        } catch (IllegalAccessException e) {
            throw new InvocationTargetException(e);
        }
    }

    /// Of the class and its super classes, the topmost first; one that is overridden counts once.
    ///
    /// @param named by class, in place of what the annotations in that class say
    private static List<Method> methods(
            Class<?> type, Class<? extends Annotation> annotation, Map<String, String> named) {
        List<Method> found = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            String name = named.get(at.getName());
            boolean isThere = name == null;
            for (Method method : declared(at)) {
                boolean meant =
                        name == null
                                ? method.isAnnotationPresent(annotation)
                                : method.getName().equals(name) && method.getParameterCount() == 0;
                if (meant && callable(method)) {
                    isThere = true;
                    Method overriding = overriding(method, found);
                    if (overriding == null && method.trySetAccessible()) {
                        found.addFirst(method);
                    }
                }
            }
            if (!isThere) {
                LOG.log(
                        Level.WARNING,
                        "{0} has no method {1}() to be called, which the descriptor names",
                        at.getName(),
                        name);
            }
        }
        return List.copyOf(found);
    }

    private static @Nullable Method overriding(Method method, List<Method> found) {
        if (Modifier.isPrivate(method.getModifiers())) {
            return null;
        }
        for (Method known : found) {
            if (known.getName().equals(method.getName())) {
                return known;
            }
        }
        return null;
    }

    private static boolean callable(Method method) {
        if (Modifier.isStatic(method.getModifiers()) || method.getParameterCount() > 0) {
            LOG.log(
                    Level.WARNING,
                    "{0} is not called: life cycle methods have no parameters and are not static",
                    method);
            return false;
        }
        return true;
    }

    /// A method may name types that the application does not have; such a class has no life cycle.
    private static Method[] declared(Class<?> type) {
        try {
            return type.getDeclaredMethods();
        } catch (LinkageError e) {
            LOG.log(Level.DEBUG, "{0} cannot be looked through: {1}", type, e.toString());
            return new Method[0];
        }
    }
}
