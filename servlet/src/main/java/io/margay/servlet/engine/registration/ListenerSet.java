package io.margay.servlet.engine.registration;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextAttributeEvent;
import jakarta.servlet.ServletContextAttributeListener;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestAttributeEvent;
import jakarta.servlet.ServletRequestAttributeListener;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EventListener;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The listeners of one application, by kind, in order of declaration (Servlet 6.1 §11). Filled by
/// the starting thread; read by all afterwards.
public final class ListenerSet {
    private final List<ServletContextListener> contexts = new ArrayList<>();
    private final List<ServletContextAttributeListener> contextAttributes = new ArrayList<>();
    private final List<ServletRequestListener> requests = new ArrayList<>();
    private final List<ServletRequestAttributeListener> requestAttributes = new ArrayList<>();
    private final List<HttpSessionListener> sessions = new ArrayList<>();
    private final List<HttpSessionAttributeListener> sessionAttributes = new ArrayList<>();
    private final List<HttpSessionIdListener> sessionIds = new ArrayList<>();

    /// Context listeners that no descriptor or annotation declares: they may not register anything.
    private final Set<ServletContextListener> programmatic =
            Collections.newSetFromMap(new IdentityHashMap<>());

    /// Whether a `ServletContextListener` may still be added by program.
    private boolean contextListenersWelcome;

    public void contextListenersWelcome(boolean welcome) {
        contextListenersWelcome = welcome;
    }

    /// Whether the listener may be added by program now.
    public boolean admits(EventListener listener) {
        boolean late = listener instanceof ServletContextListener && !contextListenersWelcome;
        return !late && isListener(listener.getClass());
    }

    /// Whether the class is a listener that an application may register.
    public static boolean isListener(Class<?> type) {
        return ServletContextListener.class.isAssignableFrom(type)
                || ServletContextAttributeListener.class.isAssignableFrom(type)
                || ServletRequestListener.class.isAssignableFrom(type)
                || ServletRequestAttributeListener.class.isAssignableFrom(type)
                || HttpSessionListener.class.isAssignableFrom(type)
                || HttpSessionAttributeListener.class.isAssignableFrom(type)
                || HttpSessionIdListener.class.isAssignableFrom(type);
    }

    /// Registers the declared listeners, before those that programs have added by now.
    public void addFirst(List<EventListener> declared) {
        declared.reversed().forEach(listener -> add(listener, true));
    }

    /// Registers a listener that a program gives.
    public void add(EventListener listener) {
        if (listener instanceof ServletContextListener context) {
            programmatic.add(context);
        }
        add(listener, false);
    }

    /// Registers a listener under each of its kinds.
    private void add(EventListener listener, boolean first) {
        addTo(contexts, ServletContextListener.class, listener, first);
        addTo(contextAttributes, ServletContextAttributeListener.class, listener, first);
        addTo(requests, ServletRequestListener.class, listener, first);
        addTo(requestAttributes, ServletRequestAttributeListener.class, listener, first);
        addTo(sessions, HttpSessionListener.class, listener, first);
        addTo(sessionAttributes, HttpSessionAttributeListener.class, listener, first);
        addTo(sessionIds, HttpSessionIdListener.class, listener, first);
    }

    private static <T> void addTo(
            List<T> list, Class<T> kind, EventListener listener, boolean first) {
        if (kind.isInstance(listener)) {
            list.add(first ? 0 : list.size(), kind.cast(listener));
        }
    }

    public boolean isProgrammatic(ServletContextListener listener) {
        return programmatic.contains(listener);
    }

    public List<ServletContextListener> contexts() {
        return contexts;
    }

    public List<ServletRequestListener> requests() {
        return requests;
    }

    public List<HttpSessionListener> sessions() {
        return sessions;
    }

    public List<HttpSessionAttributeListener> sessionAttributes() {
        return sessionAttributes;
    }

    public List<HttpSessionIdListener> sessionIds() {
        return sessionIds;
    }

    public void contextAttributeAdded(ServletContextAttributeEvent event) {
        each(contextAttributes, l -> l.attributeAdded(event));
    }

    public void contextAttributeReplaced(ServletContextAttributeEvent event) {
        each(contextAttributes, l -> l.attributeReplaced(event));
    }

    public void contextAttributeRemoved(ServletContextAttributeEvent event) {
        each(contextAttributes, l -> l.attributeRemoved(event));
    }

    /// @param before what the value replaces, or null
    public void requestAttributeSet(
            ServletContext context,
            ServletRequest request,
            String name,
            Object value,
            @Nullable Object before) {
        if (requestAttributes.isEmpty()) {
            return;
        }
        if (before == null) {
            var event = event(context, request, name, value);
            each(requestAttributes, l -> l.attributeAdded(event));
        } else {
            var event = event(context, request, name, before);
            each(requestAttributes, l -> l.attributeReplaced(event));
        }
    }

    public void requestAttributeRemoved(
            ServletContext context, ServletRequest request, String name, Object before) {
        if (!requestAttributes.isEmpty()) {
            var event = event(context, request, name, before);
            each(requestAttributes, l -> l.attributeRemoved(event));
        }
    }

    private static ServletRequestAttributeEvent event(
            ServletContext context, ServletRequest request, String name, Object value) {
        return new ServletRequestAttributeEvent(context, request, name, value);
    }

    private static <T> void each(List<T> listeners, Consumer<T> call) {
        for (int i = 0; i < listeners.size(); i++) {
            call.accept(listeners.get(i));
        }
    }
}
