package io.margay.servlet.engine;

import io.margay.servlet.descriptor.WebAppException;
import io.margay.servlet.engine.application.Application;
import io.margay.servlet.engine.registration.AppRuntime;
import io.margay.servlet.engine.registration.ErrorPages;
import io.margay.servlet.engine.registration.Registrations;
import io.margay.servlet.engine.registration.ServletHolder;
import io.margay.servlet.settings.WebAppSettings.Initializer;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Starts and stops one application (Servlet 6.1 §8.2.4, §10.12). Confined to one thread at a time.
public final class Lifecycle {
    private final Application app;
    private final AppRuntime runtime;
    private final Registrations registrations;
    private final List<ServletContextListener> started = new ArrayList<>();

    /// The life of `app`.
    public Lifecycle(Application app) {
        this.app = app;
        this.runtime = app.runtime();
        this.registrations = app.registrations();
    }

    /// A step of the start.
    @FunctionalInterface
    private interface Step {
        void run() throws ServletException;
    }

    /// Runs initializers, listeners and filters in the order of the specification.
    ///
    /// @throws WebAppException when a part of the application refuses; what had started is stopped
    public void prepare() {
        take(() -> {
            runtime.phase(AppRuntime.Phase.CONFIGURING);
            runInitializers();
            startListeners();
            registrations.runDeferred();
            tellUncovered();
            runtime.phase(AppRuntime.Phase.INITIALISING);
            app.sessions().start();
            registrations.filters().init();
        });
    }

    /// Makes the servlets that load on start-up, and lets requests in. Does nothing where the
    /// application runs already.
    ///
    /// @param all whether a servlet that refuses ends the start; else it alone is unavailable
    /// @throws WebAppException when one ends the start; what had started is stopped
    public void load(boolean all) {
        if (runtime.isRunning()) {
            return;
        }
        take(() -> {
            loadServlets(all);
            runtime.beans().tellLeftOut();
            runtime.phase(AppRuntime.Phase.RUNNING);
        });
    }

    private void take(Step step) {
        ClassLoader before = runtime.enter();
        try {
            step.run();
        } catch (ServletException | RuntimeException | Error e) {
            stopParts();
            if (e instanceof VirtualMachineError fatal && !(e instanceof StackOverflowError)) {
                throw fatal;
            }
            Throwable cause = ErrorPages.rootCause(e);
            throw new WebAppException(
                    "application '" + runtime.contextPath() + "' does not start: " + cause, e);
        } finally {
            runtime.leave(before);
        }
    }

    /// Servlet 6.1 §13.8.4.2.
    private void tellUncovered() {
        List<String> uncovered = registrations.constraints().uncovered();
        if (!uncovered.isEmpty()) {
            boolean denied = runtime.descriptor().security().denyUncoveredMethods();
            runtime.logger()
                    .log(
                            denied ? Level.INFO : Level.WARNING,
                            "security constraints cover some methods only; the others are "
                                    + (denied ? "denied" : "open to everybody")
                                    + ": "
                                    + String.join("; ", uncovered));
        }
    }

    private void runInitializers() throws ServletException {
        registrations.listeners().contextListenersWelcome(true);
        for (Initializer initializer : runtime.settings().initializers()) {
            initializer.initializer().onStartup(initializer.classes(), runtime.context());
        }
        declareListeners();
        registrations.listeners().contextListenersWelcome(false);
    }

    /// Declared listeners go before those of initializers, but are made after these have run: one
    /// may start the CDI container that injects into listeners.
    private void declareListeners() throws ServletException {
        List<EventListener> declared = new ArrayList<>();
        for (String className : runtime.descriptor().components().listeners()) {
            declared.add(runtime.create(runtime.load(className, EventListener.class)));
        }
        registrations.listeners().addFirst(declared);
    }

    private void startListeners() {
        ServletContextEvent full = new ServletContextEvent(runtime.context());
        ServletContextEvent limited = null;
        for (ServletContextListener listener : List.copyOf(registrations.listeners().contexts())) {
            boolean programmatic = registrations.listeners().isProgrammatic(listener);
            if (programmatic && limited == null) { // Its class is made at run time.
                limited = new ServletContextEvent(RestrictedContext.of(runtime.context()));
            }
            listener.contextInitialized(programmatic ? limited : full);
            started.add(listener);
            injectWaiting();
        }
    }

    private void injectWaiting() {
        try {
            runtime.beans().injectWaiting();
        } catch (InvocationTargetException e) {
            throw new WebAppException(String.valueOf(e.getCause()), e.getCause());
        }
    }

    private void loadServlets(boolean all) throws ServletException {
        Map<Integer, List<ServletHolder>> order = new TreeMap<>();
        for (ServletHolder holder : registrations.servlets().all()) {
            if (holder.loadOnStartup() >= 0) {
                order.computeIfAbsent(holder.loadOnStartup(), k -> new ArrayList<>()).add(holder);
            }
        }
        for (List<ServletHolder> holders : order.values()) {
            for (ServletHolder holder : holders) {
                try {
                    holder.servlet();
                } catch (ServletException e) {
                    if (all) {
                        throw e;
                    }
                    runtime.log("servlet " + holder.getName() + " does not start", cause(e));
                }
            }
        }
    }

    private static @Nullable Throwable cause(ServletException e) {
        return e.getRootCause() != null ? e.getRootCause() : e;
    }

    /// Ends what clients would keep up for as long as they like, before requests are waited for.
    public void leave() {
        if (!runtime.isRunning()) {
            return;
        }
        ClassLoader before = runtime.enter();
        try {
            registrations.filters().leave();
        } finally {
            runtime.leave(before);
        }
    }

    /// What [#leave] ended may begin again.
    public void rejoin() {
        registrations.filters().rejoin();
    }

    /// Stops everything in the opposite order.
    public void stop() {
        if (!runtime.isPrepared()) {
            return;
        }
        ClassLoader before = runtime.enter();
        try {
            stopParts();
        } finally {
            runtime.leave(before);
        }
    }

    private void stopParts() {
        runtime.phase(AppRuntime.Phase.STOPPED);
        runtime.timer().stop();
        for (ServletHolder holder : new ArrayList<>(registrations.servlets().all()).reversed()) {
            holder.destroy();
        }
        registrations.filters().destroy();
        app.sessions().stop();
        runtime.beans().releaseAll();
        ServletContextEvent event = new ServletContextEvent(runtime.context());
        for (ServletContextListener listener : started.reversed()) {
            try {
                listener.contextDestroyed(event);
            } catch (RuntimeException | LinkageError e) {
                runtime.log("a context listener failed in contextDestroyed", e);
            }
        }
        started.clear();
        runtime.endComponents();
    }
}
