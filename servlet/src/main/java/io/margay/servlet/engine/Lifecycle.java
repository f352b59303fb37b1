package io.margay.servlet.engine;

import io.margay.servlet.descriptor.WebAppException;
import io.margay.servlet.settings.WebAppSettings.Initializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Starts and stops one application (Servlet 6.1 §8.2.4, §10.12). Confined to one thread at a time.
public final class Lifecycle {
    private final Application app;
    private final List<ServletContextListener> started = new ArrayList<>();

    /// The life of `app`.
    public Lifecycle(Application app) {
        this.app = app;
    }

    /// Runs initializers, listeners, filters and servlets in the order of the specification.
    ///
    /// @throws WebAppException when a part of the application refuses; what had started is stopped
    public void start() {
        ClassLoader before = app.enter();
        try {
            app.phase(Application.Phase.CONFIGURING);
            runInitializers();
            startListeners();
            app.runDeferred();
            app.phase(Application.Phase.INITIALISING);
            app.sessions().start();
            app.filters().init();
            loadServlets();
            app.phase(Application.Phase.RUNNING);
        } catch (ServletException | RuntimeException | Error e) {
            stopParts();
            if (e instanceof VirtualMachineError fatal && !(e instanceof StackOverflowError)) {
                throw fatal;
            }
            Throwable cause = ErrorPages.rootCause(e);
            throw new WebAppException(
                    "application '" + app.contextPath() + "' does not start: " + cause, e);
        } finally {
            app.leave(before);
        }
    }

    private void runInitializers() throws ServletException {
        app.facade().contextListenersWelcome(true);
        declareListeners();
        for (Initializer initializer : app.settings().initializers()) {
            initializer.initializer().onStartup(initializer.classes(), app.facade());
        }
        app.facade().contextListenersWelcome(false);
    }

    private void declareListeners() throws ServletException {
        for (String className : app.descriptor().listeners()) {
            EventListener listener = app.create(app.load(className, EventListener.class));
            app.listeners().add(listener, true);
        }
    }

    private void startListeners() {
        ServletContext restricted = RestrictedContext.of(app.facade());
        ServletContextEvent full = new ServletContextEvent(app.facade());
        ServletContextEvent limited = new ServletContextEvent(restricted);
        for (ServletContextListener listener : List.copyOf(app.listeners().contexts())) {
            boolean programmatic = app.listeners().isProgrammatic(listener);
            listener.contextInitialized(programmatic ? limited : full);
            started.add(listener);
        }
    }

    private void loadServlets() throws ServletException {
        Map<Integer, List<ServletHolder>> order = new TreeMap<>();
        for (ServletHolder holder : app.servlets().all()) {
            if (holder.loadOnStartup() >= 0) {
                order.computeIfAbsent(holder.loadOnStartup(), k -> new ArrayList<>()).add(holder);
            }
        }
        for (List<ServletHolder> holders : order.values()) {
            for (ServletHolder holder : holders) {
                try {
                    holder.servlet();
                } catch (ServletException e) {
                    app.log("servlet " + holder.getName() + " does not start", cause(e));
                }
            }
        }
    }

    private static @Nullable Throwable cause(ServletException e) {
        return e.getRootCause() != null ? e.getRootCause() : e;
    }

    /// Ends what clients would keep up for as long as they like, before requests are waited for.
    public void leave() {
        if (!app.isRunning()) {
            return;
        }
        ClassLoader before = app.enter();
        try {
            app.filters().leave();
        } finally {
            app.leave(before);
        }
    }

    /// Stops everything in the opposite order.
    public void stop() {
        if (!app.isRunning()) {
            return;
        }
        ClassLoader before = app.enter();
        try {
            stopParts();
        } finally {
            app.leave(before);
        }
    }

    private void stopParts() {
        app.phase(Application.Phase.STOPPED);
        app.timer().stop();
        for (ServletHolder holder : new ArrayList<>(app.servlets().all()).reversed()) {
            holder.destroy();
        }
        app.filters().destroy();
        app.sessions().stop();
        ServletContextEvent event = new ServletContextEvent(app.facade());
        for (ServletContextListener listener : started.reversed()) {
            try {
                listener.contextDestroyed(event);
            } catch (RuntimeException | LinkageError e) {
                app.log("a context listener failed in contextDestroyed", e);
            }
        }
        started.clear();
        app.endComponents();
    }
}
