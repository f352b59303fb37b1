package io.margay.servlet.engine.registration;

import io.margay.server.exchange.RequestFailures;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.inject.Beans;
import io.margay.servlet.inject.ComponentLife;
import io.margay.servlet.inject.Injector;
import io.margay.servlet.naming.Naming;
import io.margay.servlet.resource.WebResources;
import io.margay.servlet.settings.WebAppSettings;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the parts of one application share while it lives: its settings and files, the phase it is
/// in, its class loader and what was made with it, its log and its timer. Thread-safe, once the
/// starting thread has given it its context.
public final class AppRuntime {
    /// Where the application is in its life.
    public enum Phase {
        NEW,
        CONFIGURING,
        INITIALISING,
        RUNNING,
        STOPPED
    }

    private final WebAppDescriptor descriptor;
    private final WebResources resources;
    private final ClassLoader loader;
    private final WebAppSettings settings;
    private final Logger logger;
    private final Beans beans;
    private final ComponentLife components;
    private final AppTimer timer;
    private final RequestFailures failures;

    private volatile Phase phase = Phase.NEW;
    private @Nullable ServletContext context;

    public AppRuntime(
            WebAppDescriptor descriptor,
            WebResources resources,
            ClassLoader loader,
            WebAppSettings settings) {
        this.descriptor = descriptor;
        this.resources = resources;
        this.loader = loader;
        this.settings = settings;
        String name = loggerName(settings.contextPath());
        this.logger = logger("margay.app." + name);
        this.beans = Beans.of(loader);
        this.components =
                new ComponentLife(
                        Injector.of(Naming.of(loader), descriptor), beans, descriptor.callbacks());
        this.timer = new AppTimer(name);
        this.failures = new RequestFailures(logger, System::nanoTime);
    }

    /// Bound at once, with the application's class loader in place: the application may have
    /// loggers of its own.
    private Logger logger(String name) {
        ClassLoader before = enter();
        try {
            Logger made = System.getLogger(name);
            boolean _ = made.isLoggable(Logger.Level.ERROR);
            return made;
        } finally {
            leave(before);
        }
    }

    private static String loggerName(String contextPath) {
        return contextPath.isEmpty() ? "root" : contextPath.substring(1).replace('/', '.');
    }

    /// The application as its own code sees it.
    public ServletContext context() {
        return Objects.requireNonNull(context);
    }

    /// Gives the context, once, before the application starts.
    public void context(ServletContext given) {
        context = given;
        beans.context(given);
    }

    /// What the application's CDI container injects.
    public Beans beans() {
        return beans;
    }

    // Phases

    public void phase(Phase next) {
        phase = next;
    }

    public boolean isRunning() {
        return phase == Phase.RUNNING;
    }

    /// Whether there is something to stop: it runs, or lacks only the servlets that load on
    /// start-up.
    public boolean isPrepared() {
        return phase == Phase.RUNNING || phase == Phase.INITIALISING;
    }

    /// Configuration ends when the application has been initialised (Servlet 6.1 §4.4).
    public void requireConfigurable() {
        if (phase == Phase.RUNNING || phase == Phase.STOPPED || phase == Phase.INITIALISING) {
            throw new IllegalStateException("the application has been initialised already");
        }
    }

    // Class loading

    /// Puts the application's class loader in place; give the result to [#leave].
    public @Nullable ClassLoader enter() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        return before;
    }

    public void leave(@Nullable ClassLoader before) {
        Thread.currentThread().setContextClassLoader(before);
    }

    public <T> Class<? extends T> load(@Nullable String className, Class<T> kind)
            throws ServletException {
        if (className == null) {
            throw new ServletException("no class is given for a " + kind.getSimpleName());
        }
        try {
            return Class.forName(className, false, loader).asSubclass(kind);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new ServletException("class " + className + " cannot be loaded", e);
        } catch (ClassCastException e) {
            throw new ServletException(className + " is not a " + kind.getName(), e);
        }
    }

    public <T> T create(Class<? extends T> type) throws ServletException {
        ClassLoader before = enter();
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            T made = constructor.newInstance();
            components.createdForGood(made);
            return made;
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
            throw new ServletException(type.getName() + " cannot be created", cause);
        } finally {
            leave(before);
        }
    }

    /// Ends the life of what [#create] made.
    public void endComponents() {
        components.destroyAll((text, cause) -> log(text, cause));
    }

    // Parts

    public WebAppDescriptor descriptor() {
        return descriptor;
    }

    public WebResources resources() {
        return resources;
    }

    public ClassLoader loader() {
        return loader;
    }

    public WebAppSettings settings() {
        return settings;
    }

    public String contextPath() {
        return settings.contextPath();
    }

    public AppTimer timer() {
        return timer;
    }

    public void log(String message, @Nullable Throwable cause) {
        logger.log(Level.ERROR, message, cause);
    }

    /// Where failures go that requests can bring about.
    public RequestFailures failures() {
        return failures;
    }

    public Logger logger() {
        return logger;
    }
}
