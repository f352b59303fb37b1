package io.margay.embed;

import io.margay.servlet.WebApp;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.ErrorPage;
import io.margay.servlet.resource.CombinedResources;
import io.margay.servlet.settings.WebAppSettings;
import io.margay.servlet.settings.WebAppSettings.Initializer;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.EventListener;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// An application that a program makes of its own parts, without a WAR. Used by one thread until
/// the server is built; what it names is not looked for: no scan, no `web.xml`.
///
/// Servlets and filters that are added by a method of their own may answer asynchronously. Those
/// given as classes are made by the container, which fills their resources and calls
/// `@PostConstruct`; instances are taken as they are.
public final class WebContext {
    private final String path;
    private final List<Registration> registrations = new ArrayList<>();
    private final List<Initializer> initializers = new ArrayList<>();
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private final Map<String, String> mimeTypes = new LinkedHashMap<>();
    private final List<ErrorPage> errorPages = new ArrayList<>();
    private final List<Path> folders = new ArrayList<>();
    private final List<CombinedResources.Jar> jars = new ArrayList<>();
    private final List<String> classPathFolders = new ArrayList<>();
    private List<String> welcomeFiles = List.of("index.html", "index.htm");
    private ClassLoader loader = defaultLoader();
    private String displayName = "";
    private int sessionMinutes = 30;
    private @Nullable Map<String, String> pages;
    private @Nullable Set<Class<?>> endpoints;
    private UnaryOperator<WebAppSettings> settings = UnaryOperator.identity();

    /// Adds one part to the context that is starting.
    @FunctionalInterface
    private interface Registration {
        void addTo(ServletContext context) throws ServletException;
    }

    private WebContext(String path) {
        this.path = path;
    }

    /// A context at a path such as `/` or `/shop`.
    public static WebContext at(String path) {
        if (!path.startsWith("/") || (path.length() > 1 && path.endsWith("/"))) {
            throw new IllegalArgumentException("a context path is / or /name, not " + path);
        }
        return new WebContext(path.equals("/") ? "" : path);
    }

    private static ClassLoader defaultLoader() {
        ClassLoader own = Thread.currentThread().getContextClassLoader();
        return own == null ? WebContext.class.getClassLoader() : own;
    }

    /// Adds a servlet at a URL pattern.
    public WebContext servlet(String pattern, Servlet servlet) {
        String name = name(servlet.getClass());
        registrations.add(context -> map(context.addServlet(name, servlet), pattern));
        return this;
    }

    /// Adds a servlet that the container makes. See [#servlet(String, Servlet)].
    public WebContext servlet(String pattern, Class<? extends Servlet> type) {
        String name = name(type);
        registrations.add(context -> map(context.addServlet(name, type), pattern));
        return this;
    }

    private static void map(ServletRegistration.Dynamic added, String pattern) {
        added.setAsyncSupported(true);
        Set<String> taken = added.addMapping(pattern);
        if (!taken.isEmpty()) {
            throw new IllegalArgumentException("two servlets are mapped to " + pattern);
        }
    }

    /// Adds a filter at a URL pattern, for requests of clients; filters run in the order in which
    /// they are added.
    public WebContext filter(String pattern, Filter filter) {
        String name = name(filter.getClass());
        registrations.add(context -> map(context.addFilter(name, filter), pattern));
        return this;
    }

    /// Adds a filter that the container makes. See [#filter(String, Filter)].
    public WebContext filter(String pattern, Class<? extends Filter> type) {
        String name = name(type);
        registrations.add(context -> map(context.addFilter(name, type), pattern));
        return this;
    }

    private static void map(FilterRegistration.Dynamic added, String pattern) {
        added.setAsyncSupported(true);
        added.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, pattern);
    }

    /// One class may be there several times.
    private String name(Class<?> type) {
        return type.getName() + "-" + registrations.size();
    }

    /// Adds a listener of any kind that the specification knows.
    public WebContext listener(EventListener listener) {
        registrations.add(context -> context.addListener(listener));
        return this;
    }

    /// Adds a listener that the container makes.
    public WebContext listener(Class<? extends EventListener> type) {
        registrations.add(context -> context.addListener(type));
        return this;
    }

    /// Runs an initializer when the context starts, after what is added by the methods above.
    ///
    /// @param classes what it is given, in place of what a scan for `@HandlesTypes` would find
    public WebContext initializer(ServletContainerInitializer initializer, Class<?>... classes) {
        initializers.add(
                new Initializer(initializer, classes.length == 0 ? null : Set.of(classes)));
        return this;
    }

    /// Runs an initializer that is made by its constructor without parameters.
    public WebContext initializer(Class<? extends ServletContainerInitializer> type) {
        initializers.add(
                new Initializer(
                        (classes, context) -> create(type).onStartup(classes, context), null));
        return this;
    }

    private static ServletContainerInitializer create(
            Class<? extends ServletContainerInitializer> type) throws ServletException {
        try {
            return type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new ServletException(type.getName() + " cannot be created", e);
        }
    }

    /// Serves the files of a folder, behind the servlets.
    public WebContext resources(Path folder) {
        folders.add(folder);
        return this;
    }

    /// Serves the files of a folder of the class path, such as `static`.
    public WebContext classPathResources(String folder) {
        classPathFolders.add(folder);
        return this;
    }

    /// Serves the files of a folder of a JAR.
    public WebContext resources(CombinedResources.Jar jar) {
        jars.add(jar);
        return this;
    }

    /// The files asked for where a request names a folder, in place of `index.html` and
    /// `index.htm`.
    public WebContext welcomeFiles(String... names) {
        welcomeFiles = List.of(names);
        return this;
    }

    /// A context parameter.
    public WebContext parameter(String name, String value) {
        parameters.put(name, value);
        return this;
    }

    /// The media type of files whose names end with an extension.
    public WebContext mimeType(String extension, String type) {
        mimeTypes.put(extension, type);
        return this;
    }

    /// The page that is shown for a status.
    public WebContext errorPage(int status, String location) {
        errorPages.add(new ErrorPage(status, null, location));
        return this;
    }

    /// The page that is shown for an exception.
    public WebContext errorPage(Class<? extends Throwable> type, String location) {
        errorPages.add(new ErrorPage(null, type.getName(), location));
        return this;
    }

    /// The page that is shown for all other errors.
    public WebContext errorPage(String location) {
        errorPages.add(new ErrorPage(null, null, location));
        return this;
    }

    /// How the application is called.
    public WebContext displayName(String name) {
        displayName = name;
        return this;
    }

    /// Minutes after which a session ends that is not used; 0 = never, 30 unless said.
    public WebContext sessionMinutes(int minutes) {
        sessionMinutes = minutes;
        return this;
    }

    /// Serves JSP pages among the resources.
    public WebContext pages() {
        return pages(Map.of());
    }

    /// Serves JSP pages among the resources.
    ///
    /// @param parameters of Jasper's servlet, such as `development`
    public WebContext pages(Map<String, String> parameters) {
        pages = Map.copyOf(parameters);
        return this;
    }

    /// Has a WebSocket container, with these endpoints (`@ServerEndpoint`) and those that the
    /// application deploys itself.
    public WebContext webSockets(Class<?>... classes) {
        endpoints = Set.of(classes);
        return this;
    }

    /// What loads the application's classes; the thread's own loader unless said.
    public WebContext loader(ClassLoader other) {
        loader = other;
        return this;
    }

    /// Changes settings of the container for this application.
    public WebContext settings(UnaryOperator<WebAppSettings> change) {
        UnaryOperator<WebAppSettings> before = settings;
        settings = asked -> change.apply(before.apply(asked));
        return this;
    }

    // For the server

    /// Empty for the root.
    String path() {
        return path;
    }

    boolean hasPages() {
        return pages != null;
    }

    /// Parameters of the servlet that makes pages.
    Map<String, String> pageParameters() {
        return pages == null ? Map.of() : pages;
    }

    ClassLoader loader() {
        return loader;
    }

    List<Path> folders() {
        return folders;
    }

    List<CombinedResources.Jar> jars() {
        return jars;
    }

    List<String> classPathFolders() {
        return classPathFolders;
    }

    WebAppSettings settings(WebAppSettings asked) {
        return settings.apply(asked);
    }

    List<Initializer> initializers() {
        List<Initializer> all = new ArrayList<>();
        if (endpoints != null) {
            all.add(WebApp.webSockets(endpoints));
        }
        List<Registration> parts = List.copyOf(registrations);
        all.add(
                new Initializer(
                        (_, context) -> {
                            for (Registration part : parts) {
                                part.addTo(context);
                            }
                        },
                        null));
        all.addAll(initializers);
        return all;
    }

    WebAppDescriptor descriptor() {
        return DeclaredContext.descriptor(
                displayName, parameters, sessionMinutes, mimeTypes, welcomeFiles, errorPages);
    }
}
