package io.margay.servlet.engine.registration;

import io.margay.servlet.descriptor.WebAppDescriptor.ServletDef;
import io.margay.servlet.settings.OneRequestAtATime;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.annotation.MultipartConfig;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One registered servlet: its registration, configuration and single instance.
///
/// Registration is confined to the starting thread; afterwards any thread may ask for the instance,
/// which is made once, by the first that asks.
public final class ServletHolder extends ComponentHolder<Servlet>
        implements ServletRegistration.Dynamic, ServletConfig {
    /// Jasper's, which need not be there.
    private static final String PAGES = "org.apache.jasper.servlet.JspServlet";

    private final Registrations registrations;
    private final @Nullable String jspFile;
    private final Map<String, String> roleLinks;
    private final AtomicReference<@Nullable FutureTask<Servlet>> made = new AtomicReference<>();

    private int loadOnStartup;
    private final boolean enabled;
    private @Nullable String runAs;
    private @Nullable MultipartConfigElement multipart;

    /// `System.nanoTime()` when a servlet that called itself unavailable may be tried again.
    private volatile long retryNanos;

    private volatile boolean gone;
    private volatile boolean resting;
    private volatile long classLoadNanos;
    private volatile long loadNanos;

    /// Null = nobody has wanted its requests counted.
    private final AtomicReference<@Nullable ServletCounts> counts = new AtomicReference<>();

    /// The filters before this servlet, per dispatcher type; built on first use.
    private final Map<DispatcherType, FilterPlan> plans = new ConcurrentHashMap<>();

    ServletHolder(AppRuntime runtime, Registrations registrations, ServletDef definition) {
        super(
                runtime,
                definition.name(),
                definition.className(),
                definition.initParams(),
                definition.asyncSupported());
        this.registrations = registrations;
        this.jspFile = definition.jspFile();
        this.loadOnStartup = definition.loadOnStartup();
        this.enabled = definition.enabled();
        this.runAs = definition.roles().runAs();
        this.roleLinks = definition.roles().links();
        this.multipart = definition.multipart();
    }

    /// A servlet that is registered by program.
    public static ServletHolder programmatic(
            AppRuntime runtime,
            Registrations registrations,
            String name,
            @Nullable String className,
            @Nullable String jspFile) {
        ServletDef definition = ServletDef.of(name, className, jspFile, Map.of());
        return new ServletHolder(runtime, registrations, definition);
    }

    @Override
    public boolean complete(@Nullable String missing) {
        return jspFile == null && super.complete(missing);
    }

    /// The page that it serves; null = it serves others, or none.
    public @Nullable String jspFile() {
        return jspFile;
    }

    /// Whether it serves pages.
    public boolean rendersPages() {
        return jspFile != null || PAGES.equals(getClassName());
    }

    /// What serves a path, as one of a few names, for clients make up paths: the file or page that
    /// is there, else the servlet.
    public String nameFor(String path) {
        return registrations.isFile(path) ? path : name;
    }

    // Life

    /// The initialised servlet.
    ///
    /// @throws UnavailableException when it is disabled, or said it cannot serve now
    public Servlet servlet() throws ServletException {
        FutureTask<Servlet> task = made.get();
        if (task != null && task.isDone() && !gone && !resting) {
            return finished(task);
        }
        refuseWhenUnavailable();
        if (task == null) {
            FutureTask<Servlet> mine = new FutureTask<>(this::make);
            task = made.compareAndExchange(null, mine);
            if (task == null) {
                task = mine;
                mine.run();
            }
        }
        return finished(task);
    }

    /// The servlet if it has been initialised, can be used now, and is one that may have its answer
    /// at hand; else null. Never waits.
    public @Nullable FastPathServlet ready() {
        FutureTask<Servlet> task = made.get();
        if (task == null || task.state() != Future.State.SUCCESS || gone || resting) {
            return null;
        }
        return task.resultNow() instanceof FastPathServlet servlet ? servlet : null;
    }

    private Servlet finished(FutureTask<Servlet> task) throws ServletException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            made.compareAndSet(task, null);
            Throwable cause = e.getCause();
            throw unwrap(cause == null ? e : cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServletException("interrupted while servlet " + name + " was starting", e);
        }
    }

    private ServletException unwrap(Throwable cause) {
        return switch (cause) {
            case UnavailableException unavailable -> {
                unavailable(unavailable);
                yield unavailable;
            }
            case ServletException servlet -> servlet;
            case Error error -> throw error;
            default -> new ServletException("servlet " + name + " could not be started", cause);
        };
    }

    private void refuseWhenUnavailable() throws UnavailableException {
        if (!enabled || gone) {
            throw new UnavailableException("servlet " + name + " is not available");
        }
        if (resting) {
            long leftNanos = retryNanos - System.nanoTime();
            if (leftNanos > 0) {
                long seconds = Math.max(1, TimeUnit.NANOSECONDS.toSeconds(leftNanos));
                throw new UnavailableException("servlet " + name + " is resting", (int) seconds);
            }
            resting = false;
        }
    }

    /// Remembers that the servlet threw this.
    public void unavailable(UnavailableException exception) {
        if (exception.isPermanent()) {
            gone = true;
            destroy();
        } else {
            long seconds = Math.max(1, exception.getUnavailableSeconds());
            retryNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            resting = true;
        }
    }

    private Servlet make() throws ServletException {
        long start = System.nanoTime();
        Servlet servlet = instance != null ? instance : runtime.create(servletType());
        MultipartConfig annotation = servlet.getClass().getAnnotation(MultipartConfig.class);
        if (multipart == null && annotation != null) {
            multipart = new MultipartConfigElement(annotation);
        }
        if (servlet instanceof OneRequestAtATime) {
            Class<? extends Servlet> made = servlet.getClass();
            servlet =
                    new ServletPool(
                            servlet, () -> runtime.create(made), ServletPoolLimits.defaults());
        }
        classLoadNanos = System.nanoTime() - start;
        ClassLoader before = runtime.enter();
        try {
            servlet.init(this);
        } finally {
            runtime.leave(before);
        }
        loadNanos = System.nanoTime() - start;
        return servlet;
    }

    private Class<? extends Servlet> servletType() throws ServletException {
        Class<? extends Servlet> known = type;
        if (known != null) {
            return known;
        }
        if (jspFile != null) {
            ServletHolder jsp = registrations.jspServlet();
            if (jsp == null) {
                throw new ServletException(
                        "no servlet is mapped to *.jsp, which " + name + " needs");
            }
            jsp.parameters.map().forEach(parameters::set);
            parameters.set("jspFile", jspFile);
            return jsp.servletType();
        }
        return runtime.load(className, Servlet.class);
    }

    /// Calls `destroy` once, when the servlet was initialised.
    public void destroy() {
        FutureTask<Servlet> task = made.getAndSet(null);
        if (task == null || task.state() != Future.State.SUCCESS) {
            return;
        }
        ClassLoader before = runtime.enter();
        try {
            task.resultNow().destroy();
        } catch (RuntimeException | LinkageError e) {
            runtime.log("servlet " + name + " failed in destroy", e);
        } finally {
            runtime.leave(before);
        }
    }

    // Facts for the engine

    /// What counts its requests; null = nobody reads it.
    public @Nullable ServletCounts counts() {
        return counts.get();
    }

    /// Has its requests counted from now on.
    public ServletCounts count() {
        ServletCounts known = counts.get();
        if (known != null) {
            return known;
        }
        counts.compareAndSet(null, new ServletCounts());
        return Objects.requireNonNull(counts.get());
    }

    /// What it took to load the class and make an instance; 0 = there is none.
    public long classLoadNanos() {
        return classLoadNanos;
    }

    /// What it took to make an instance and initialise it; 0 = it is not initialised.
    public long loadNanos() {
        return loadNanos;
    }

    public int loadOnStartup() {
        return loadOnStartup;
    }

    public @Nullable MultipartConfigElement multipart() {
        return multipart;
    }

    /// What the servlet calls `role`, in the application's own words.
    public String linkedRole(String role) {
        return roleLinks.getOrDefault(role, role);
    }

    /// The filters before this servlet for a dispatcher type.
    public FilterPlan plan(DispatcherType dispatcher) {
        FilterPlan plan = plans.get(dispatcher);
        if (plan == null) {
            plan = registrations.filters().plan(this, dispatcher);
            plans.put(dispatcher, plan);
        }
        return plan;
    }

    // ServletConfig

    @Override
    public String getServletName() {
        return name;
    }

    @Override
    public @Nullable String getInitParameter(String parameter) {
        return super.getInitParameter(Objects.requireNonNull(parameter));
    }

    // ServletRegistration.Dynamic

    @Override
    public Set<String> addMapping(String... patterns) {
        runtime.requireConfigurable();
        if (patterns == null || patterns.length == 0) {
            throw new IllegalArgumentException("no URL pattern given");
        }
        return registrations.servlets().map(this, List.of(patterns));
    }

    @Override
    public Collection<String> getMappings() {
        return registrations.servlets().patternsOf(this);
    }

    @Override
    public @Nullable String getRunAsRole() {
        return runAs;
    }

    @Override
    public void setLoadOnStartup(int order) {
        runtime.requireConfigurable();
        loadOnStartup = order;
    }

    @Override
    public Set<String> setServletSecurity(ServletSecurityElement constraint) {
        runtime.requireConfigurable();
        if (constraint == null) {
            throw new IllegalArgumentException("no constraint given");
        }
        return registrations.constraints().add(getMappings(), constraint);
    }

    @Override
    public void setMultipartConfig(MultipartConfigElement config) {
        runtime.requireConfigurable();
        if (config == null) {
            throw new IllegalArgumentException("no multipart configuration given");
        }
        multipart = config;
    }

    @Override
    public void setRunAsRole(String role) {
        runtime.requireConfigurable();
        if (role == null) {
            throw new IllegalArgumentException("no role given");
        }
        runAs = role;
    }
}
