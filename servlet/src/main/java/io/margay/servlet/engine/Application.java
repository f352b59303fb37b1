package io.margay.servlet.engine;

import io.margay.protocol.http.CanonicalPath;
import io.margay.server.exchange.Exchange;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterDef;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterMapping;
import io.margay.servlet.descriptor.WebAppDescriptor.ServletDef;
import io.margay.servlet.descriptor.WebAppException;
import io.margay.servlet.inject.ComponentLife;
import io.margay.servlet.inject.Injector;
import io.margay.servlet.mapping.UrlMap;
import io.margay.servlet.naming.Naming;
import io.margay.servlet.resource.WebResource;
import io.margay.servlet.resource.WebResources;
import io.margay.servlet.security.Authenticator;
import io.margay.servlet.security.ContainerAuthenticator;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.SecurityConstraints;
import io.margay.servlet.settings.WebAppSettings;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.annotation.ServletSecurity;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.MappingMatch;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One application in the engine: what is registered, and what every request of it needs.
///
/// Configured by the thread that starts it; a request sees it only afterwards, fixed but for
/// context attributes, sessions and the pool of buffers, which are thread-safe.
public final class Application {
    /// Where the application is in its life.
    enum Phase {
        NEW,
        CONFIGURING,
        INITIALISING,
        RUNNING,
        STOPPED
    }

    private static final String DEFAULT_SERVLET = "default";

    /// The servlet that compiles JSP files, whatever else `*.jsp` is mapped to.
    private static final String JSP_SERVLET = "jsp";

    private final WebAppDescriptor descriptor;
    private final WebResources resources;
    private final ClassLoader loader;
    private final WebAppSettings settings;
    private final Logger logger;
    private final ServletSet servlets = new ServletSet();
    private final FilterSet filters = new FilterSet();
    private final ListenerSet listeners = new ListenerSet();
    private final SecurityConstraints constraints;
    private final @Nullable Authenticator authenticator;
    private final ErrorPages errorPages;
    private final ContextFacade facade;
    private final SessionTracker sessions;
    private final ContentTypes contentTypes = new ContentTypes();
    private final ResponseBuffers buffers = new ResponseBuffers();
    private final AppTimer timer;
    private final Visits visits = new Visits();
    private final ServletHolder defaultServlet;
    private final Map<String, String> localeEncodings;
    private final ComponentLife components;

    private volatile Phase phase = Phase.NEW;

    /// An application that is declared but not started.
    ///
    /// @param files the servlet for what nothing else is mapped to
    public Application(
            WebAppDescriptor descriptor,
            WebResources resources,
            ClassLoader loader,
            WebAppSettings settings,
            Servlet files) {
        this.descriptor = descriptor;
        this.resources = resources;
        this.loader = loader;
        this.settings = settings;
        this.logger = System.getLogger("margay.app." + loggerName(settings.contextPath()));
        this.components =
                new ComponentLife(
                        Injector.of(Naming.of(loader), descriptor), descriptor.callbacks());
        this.errorPages = new ErrorPages(descriptor.errorPages());
        this.localeEncodings = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        localeEncodings.putAll(settings.localeEncodings());
        localeEncodings.putAll(descriptor.localeEncodings());
        this.facade = new ContextFacade(this);
        this.constraints =
                new SecurityConstraints(
                        descriptor.securityConstraints(),
                        descriptor.denyUncoveredMethods(),
                        facade.declaredRoles());
        this.authenticator = authenticator(descriptor, settings);
        this.timer = new AppTimer(loggerName(settings.contextPath()));
        this.sessions = new SessionTracker(this);
        this.defaultServlet = ServletHolder.programmatic(this, DEFAULT_SERVLET, null, null);
        defaultServlet.instance(files);
        defaultServlet.containerOwned();
        declare();
    }

    private static @Nullable Authenticator authenticator(
            WebAppDescriptor descriptor, WebAppSettings settings) {
        Realm realm = settings.realm();
        if (settings.authenticator() != null || realm == null) {
            return settings.authenticator();
        }
        return new ContainerAuthenticator(descriptor.login(), realm);
    }

    private static String loggerName(String contextPath) {
        return contextPath.isEmpty() ? "root" : contextPath.substring(1).replace('/', '.');
    }

    private void declare() {
        for (ServletDef definition : descriptor.servlets()) {
            servlets.add(new ServletHolder(this, definition));
        }
        if (servlets.named(DEFAULT_SERVLET) == null) {
            servlets.add(defaultServlet);
        }
        descriptor
                .servletMappings()
                .forEach((pattern, name) -> {
                    ServletHolder holder = servlets.named(name);
                    if (holder == null) {
                        throw new WebAppException(
                                "servlet-mapping "
                                        + pattern
                                        + " names servlet '"
                                        + name
                                        + "', which is not declared");
                    }
                    mapDeclared(holder, pattern);
                });
        for (FilterDef definition : descriptor.filters()) {
            filters.add(new FilterHolder(this, definition));
        }
        for (FilterMapping mapping : descriptor.filterMappings()) {
            FilterHolder holder = filters.named(mapping.filterName());
            if (holder == null) {
                throw new WebAppException(
                        "filter-mapping names filter '"
                                + mapping.filterName()
                                + "', which is not declared");
            }
            filters.map(
                    holder,
                    mapping.urlPatterns(),
                    mapping.servletNames(),
                    mapping.dispatchers(),
                    true);
        }
        servlets.mapImplicitly(defaultServlet, "/");
    }

    private void mapDeclared(ServletHolder holder, String pattern) {
        try {
            servlets.map(holder, List.of(pattern));
        } catch (IllegalArgumentException e) {
            throw new WebAppException("servlet-mapping: " + e.getMessage(), e);
        }
    }

    // Phases

    void phase(Phase next) {
        phase = next;
    }

    boolean isRunning() {
        return phase == Phase.RUNNING;
    }

    /// Configuration ends when the application has been initialised (Servlet 6.1 §4.4).
    void requireConfigurable() {
        if (phase == Phase.RUNNING || phase == Phase.STOPPED || phase == Phase.INITIALISING) {
            throw new IllegalStateException("the application has been initialised already");
        }
    }

    // Class loading

    /// Puts the application's class loader in place; give the result to [#leave].
    @Nullable ClassLoader enter() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        return before;
    }

    void leave(@Nullable ClassLoader before) {
        Thread.currentThread().setContextClassLoader(before);
    }

    <T> Class<? extends T> load(@Nullable String className, Class<T> kind) throws ServletException {
        if (className == null) {
            throw new ServletException("no class is given for a " + kind.getSimpleName());
        }
        try {
            return Class.forName(className, false, loader).asSubclass(kind);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new ServletException("class " + className + " cannot be loaded", e);
        } catch (ClassCastException e) {
            throw new ServletException(className + " is no " + kind.getName(), e);
        }
    }

    <T> T create(Class<? extends T> type) throws ServletException {
        ClassLoader before = enter();
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            T made = constructor.newInstance();
            components.createdForGood(made);
            return made;
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            Throwable cause =
                    e instanceof java.lang.reflect.InvocationTargetException ? e.getCause() : e;
            throw new ServletException(type.getName() + " cannot be created", cause);
        } finally {
            leave(before);
        }
    }

    /// Ends the life of what [#create] made.
    void endComponents() {
        components.destroyAll((text, cause) -> log(text, cause));
    }

    /// Applies `@ServletSecurity` of a servlet whose class a program has given.
    void readSecurityAnnotation(ServletHolder holder, Class<?> type) {
        ServletSecurity annotation = type.getAnnotation(ServletSecurity.class);
        if (annotation != null) {
            deferred.add(() ->
                    constraints.add(holder.getMappings(), new ServletSecurityElement(annotation)));
        }
    }

    /// What can be done only once all mappings are known.
    private final List<Runnable> deferred = new ArrayList<>();

    void runDeferred() {
        deferred.forEach(Runnable::run);
        deferred.clear();
    }

    // Looking up

    /// What a path within the context leads to.
    ///
    /// @param path the canonical path that the target sees
    record Target(UrlMap.Mapped<ServletHolder> mapped, String path) {}

    /// The servlet for a canonical path, by way of the welcome files (Servlet 6.1 §10.10); null
    /// when not even a default servlet is mapped.
    @Nullable Target target(String path) {
        UrlMap.Mapped<ServletHolder> mapped = servlets.find(path);
        if (mapped == null) {
            return null;
        }
        if (mapped.pattern().kind() == MappingMatch.DEFAULT && path.endsWith("/")) {
            Target welcome = welcome(path);
            if (welcome != null) {
                return welcome;
            }
        }
        return new Target(mapped, path);
    }

    private @Nullable Target welcome(String folder) {
        for (String name : descriptor.welcomeFiles()) {
            String path = folder + (name.startsWith("/") ? name.substring(1) : name);
            UrlMap.Mapped<ServletHolder> mapped = servlets.find(path);
            if (mapped == null) {
                continue;
            }
            boolean component =
                    switch (mapped.pattern().kind()) {
                        case EXACT, PATH -> true;
                        case EXTENSION, DEFAULT, CONTEXT_ROOT -> isFile(path);
                    };
            if (component) {
                return new Target(mapped, path);
            }
        }
        for (String name : descriptor.welcomeFiles()) {
            String path = folder + (name.startsWith("/") ? name.substring(1) : name);
            UrlMap.Mapped<ServletHolder> mapped = servlets.find(path);
            if (mapped != null
                    && mapped.pattern().kind() == MappingMatch.EXTENSION
                    && !mapped.pattern().key().startsWith("jsp")) {
                return new Target(mapped, path);
            }
        }
        return null;
    }

    private boolean isFile(String path) {
        WebResource resource = resources.get(path);
        return resource != null && !resource.isFolder();
    }

    /// The servlet that compiles JSP files, or null.
    @Nullable ServletHolder jspServlet() {
        ServletHolder declared = servlets.named(JSP_SERVLET);
        if (declared != null) {
            return declared;
        }
        UrlMap.Mapped<ServletHolder> mapped = servlets.find("/margay.jsp");
        if (mapped == null || mapped.pattern().kind() != MappingMatch.EXTENSION) {
            return null;
        }
        return mapped.target();
    }

    /// A dispatcher for a path within the context, percent-encoded, with an optional query; null
    /// when the path is no path or leads nowhere.
    @Nullable Dispatcher dispatcher(String pathAndQuery) {
        int question = pathAndQuery.indexOf('?');
        String rawPath = question < 0 ? pathAndQuery : pathAndQuery.substring(0, question);
        String query = question < 0 ? null : pathAndQuery.substring(question + 1);
        CanonicalPath canonical = CanonicalPath.of(Paths.encode(rawPath));
        if (canonical.error() != null) {
            return null;
        }
        Target target = target(canonical.path());
        if (target == null) {
            return null;
        }
        String uri = settings.contextPath() + canonical.raw();
        return Dispatcher.to(new Route(this, uri, target.path(), target.mapped(), query));
    }

    // Parts

    WebAppDescriptor descriptor() {
        return descriptor;
    }

    WebResources resources() {
        return resources;
    }

    ClassLoader loader() {
        return loader;
    }

    WebAppSettings settings() {
        return settings;
    }

    ServletSet servlets() {
        return servlets;
    }

    FilterSet filters() {
        return filters;
    }

    ListenerSet listeners() {
        return listeners;
    }

    SecurityConstraints constraints() {
        return constraints;
    }

    /// Null = nobody can log in.
    @Nullable Authenticator authenticator() {
        return authenticator;
    }

    ErrorPages errorPages() {
        return errorPages;
    }

    /// The application as its own code sees it.
    public ContextFacade facade() {
        return facade;
    }

    SessionTracker sessions() {
        return sessions;
    }

    ResponseBuffers buffers() {
        return buffers;
    }

    ContentTypes contentTypes() {
        return contentTypes;
    }

    /// Requests of other applications.
    Visits visits() {
        return visits;
    }

    /// Waits until no request of another application is in this one.
    ///
    /// @return whether that came before the deadline
    public boolean awaitNoVisits(Duration deadline) {
        return visits.awaitNone(deadline);
    }

    AppTimer timer() {
        return timer;
    }

    /// The character encoding that the descriptor maps a locale to, or null.
    @Nullable String encodingOf(java.util.Locale locale) {
        String byCountry = localeEncodings.get(locale.toString());
        return byCountry != null ? byCountry : localeEncodings.get(locale.getLanguage());
    }

    // Sessions, for the container

    /// See [SessionTracker#follow].
    public void follow(Application before) {
        ClassLoader loader = enter();
        try {
            sessions.follow(before.sessions);
        } finally {
            leave(loader);
        }
    }

    /// See [SessionTracker#followed].
    public void followed() {
        ClassLoader before = enter();
        try {
            sessions.followed();
        } finally {
            leave(before);
        }
    }

    /// Whether a request carries the identifier of a live session.
    public boolean knowsSessionOf(Exchange exchange) {
        return sessions.knows(exchange.path(), exchange.request().fields());
    }

    /// The live sessions.
    public Collection<HttpSession> liveSessions() {
        return List.copyOf(sessions.all());
    }

    /// The number of live sessions.
    public int sessionCount() {
        return sessions.size();
    }

    String contextPath() {
        return settings.contextPath();
    }

    void log(String message, @Nullable Throwable cause) {
        logger.log(Level.ERROR, message, cause);
    }

    Logger logger() {
        return logger;
    }
}
