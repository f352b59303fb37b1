package io.margay.servlet.engine;

import io.margay.servlet.engine.application.Application;
import io.margay.servlet.engine.application.Paths;
import io.margay.servlet.engine.dispatch.Dispatcher;
import io.margay.servlet.engine.registration.AppRuntime;
import io.margay.servlet.engine.registration.FilterHolder;
import io.margay.servlet.engine.registration.InitParameters;
import io.margay.servlet.engine.registration.ListenerSet;
import io.margay.servlet.engine.registration.Registrations;
import io.margay.servlet.engine.registration.ServletHolder;
import io.margay.servlet.resource.WebResource;
import io.margay.servlet.settings.LateAttribute;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextAttributeEvent;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.SessionCookieConfig;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.descriptor.JspConfigDescriptor;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.EventListener;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The application as its own code sees it (Servlet 6.1 §4). Attributes are thread-safe; everything
/// else changes only while the application starts.
public final class ContextFacade implements ServletContext {
    private static final String SERVER_INFO = "Margay";

    private final Application app;
    private final AppRuntime runtime;
    private final Registrations registrations;
    private final Map<String, Object> attributes = new ConcurrentHashMap<>();
    private final InitParameters parameters;
    private @Nullable String requestEncoding;
    private @Nullable String responseEncoding;

    /// The context of `app`.
    public ContextFacade(Application app) {
        this.app = app;
        this.runtime = app.runtime();
        this.registrations = app.registrations();
        this.parameters = new InitParameters(runtime.descriptor().general().contextParams());
        this.requestEncoding = runtime.descriptor().content().requestEncoding();
        this.responseEncoding = runtime.descriptor().content().responseEncoding();
        this.attributes.putAll(runtime.settings().attributes());
        Path temporary = runtime.settings().temporaryFolder();
        if (temporary != null) {
            attributes.putIfAbsent(TEMPDIR, temporary.toFile());
        }
        if (runtime.descriptor().components().orderedLibs() != null) {
            attributes.putIfAbsent(ORDERED_LIBS, runtime.descriptor().components().orderedLibs());
        }
    }

    // What it is

    @Override
    public String getContextPath() {
        return runtime.contextPath();
    }

    @Override
    public @Nullable ServletContext getContext(String uriPath) {
        if (uriPath == null || !uriPath.startsWith("/")) {
            return null;
        }
        String own = runtime.contextPath();
        ServletContext other = runtime.settings().contexts().find(uriPath);
        if (other != null) {
            return other;
        }
        boolean mine = uriPath.equals(own) || uriPath.startsWith(own + "/");
        return mine ? this : null;
    }

    @Override
    public int getMajorVersion() {
        return 6;
    }

    @Override
    public int getMinorVersion() {
        return 1;
    }

    @Override
    public int getEffectiveMajorVersion() {
        return version(0, 6);
    }

    @Override
    public int getEffectiveMinorVersion() {
        return version(1, 1);
    }

    private int version(int part, int fallback) {
        String[] numbers = runtime.descriptor().general().version().split("\\.");
        if (numbers.length <= part || !numbers[part].matches("[0-9]{1,3}")) {
            return fallback;
        }
        return Integer.parseInt(numbers[part]);
    }

    @Override
    public String getServerInfo() {
        return SERVER_INFO;
    }

    @Override
    public @Nullable String getServletContextName() {
        String name = runtime.descriptor().general().displayName();
        return name == null || name.isEmpty() ? null : name;
    }

    @Override
    public String getVirtualServerName() {
        return runtime.settings().hostName();
    }

    @Override
    public ClassLoader getClassLoader() {
        return runtime.loader();
    }

    // Resources

    @Override
    public @Nullable String getMimeType(String file) {
        int period = file == null ? -1 : file.lastIndexOf('.');
        if (period < 0) {
            return null;
        }
        return MimeTypes.of(runtime.descriptor().content().mimeTypes(), file.substring(period + 1));
    }

    @Override
    public @Nullable Set<String> getResourcePaths(String path) {
        if (path == null) {
            return null;
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path '" + path + "' does not start with '/'");
        }
        String normal = Paths.normalise(path);
        Set<String> found = normal == null ? null : runtime.resources().list(normal);
        return found == null || found.isEmpty() ? null : new HashSet<>(found);
    }

    @Override
    public @Nullable URL getResource(String path) throws MalformedURLException {
        WebResource resource = path == null ? null : resource(rooted(path));
        if (resource == null && (path == null || !path.startsWith("/"))) {
            throw new MalformedURLException("path '" + path + "' does not start with '/'");
        }
        return resource == null ? null : resource.url();
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String path) {
        WebResource resource = path == null ? null : resource(rooted(path));
        if (resource == null || resource.isFolder()) {
            return null;
        }
        try {
            return resource.open();
        } catch (IOException e) {
            runtime.logger().log(Level.DEBUG, "resource " + path + " cannot be opened", e);
            return null;
        }
    }

    @Override
    public @Nullable String getRealPath(String path) {
        if (path == null) {
            return null;
        }
        String normal = Paths.normalise(rooted(path));
        if (normal == null) {
            return null;
        }
        WebResource resource = runtime.resources().get(normal);
        Path file = resource == null ? null : resource.file();
        if (resource == null) {
            WebResource root = runtime.resources().get("/");
            Path folder = root == null ? null : root.file();
            file = folder == null ? null : folder.resolve(normal.substring(1));
        }
        if (file == null) {
            return null;
        }
        // What applications append to the folder's name begins without a separator.
        boolean folder = normal.endsWith("/") && (resource == null || resource.isFolder());
        return folder ? file + File.separator : file.toString();
    }

    /// A path as applications give it: the slash at its beginning may be missing, as with Tomcat.
    private static String rooted(String path) {
        return path.startsWith("/") ? path : "/" + path;
    }

    private @Nullable WebResource resource(String path) {
        String normal = Paths.normalise(path);
        return normal == null ? null : runtime.resources().get(normal);
    }

    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(String path) {
        if (path == null) {
            return null;
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path '" + path + "' does not start with '/'");
        }
        return Dispatcher.of(app, path);
    }

    @Override
    public @Nullable RequestDispatcher getNamedDispatcher(String name) {
        ServletHolder servlet = name == null ? null : registrations.servlets().named(name);
        return servlet == null ? null : Dispatcher.toServlet(app, servlet);
    }

    // Log

    @Override
    public void log(String message) {
        runtime.logger().log(Level.INFO, message);
    }

    @Override
    public void log(String message, Throwable cause) {
        runtime.logger().log(Level.ERROR, message, cause);
    }

    // Parameters and attributes

    @Override
    public @Nullable String getInitParameter(String name) {
        return parameters.get(Objects.requireNonNull(name));
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
        return parameters.names();
    }

    @Override
    public boolean setInitParameter(String name, String value) {
        Objects.requireNonNull(name);
        runtime.requireConfigurable();
        return parameters.set(name, value);
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return LateAttribute.value(attributes.get(Objects.requireNonNull(name)));
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return Collections.enumeration(Set.copyOf(attributes.keySet()));
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        Objects.requireNonNull(name);
        if (value == null) {
            removeAttribute(name);
            return;
        }
        Object before = LateAttribute.value(attributes.put(name, value));
        if (before == null) {
            registrations
                    .listeners()
                    .contextAttributeAdded(new ServletContextAttributeEvent(this, name, value));
        } else {
            registrations
                    .listeners()
                    .contextAttributeReplaced(new ServletContextAttributeEvent(this, name, before));
        }
    }

    @Override
    public void removeAttribute(String name) {
        Object before = LateAttribute.value(attributes.remove(name));
        if (before != null) {
            registrations
                    .listeners()
                    .contextAttributeRemoved(new ServletContextAttributeEvent(this, name, before));
        }
    }

    // Servlets

    @Override
    public ServletRegistration.@Nullable Dynamic addServlet(String name, String className) {
        return newServlet(name, className);
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addServlet(String name, Servlet servlet) {
        Objects.requireNonNull(servlet);
        ServletHolder holder = newServlet(name, servlet.getClass().getName());
        if (holder != null) {
            holder.instance(servlet);
            registrations.readSecurityAnnotation(holder, servlet.getClass());
        }
        return holder;
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addServlet(
            String name, Class<? extends Servlet> servletClass) {
        ServletHolder holder = newServlet(name, servletClass.getName());
        if (holder != null) {
            holder.type(servletClass);
            registrations.readSecurityAnnotation(holder, servletClass);
        }
        return holder;
    }

    private @Nullable ServletHolder newServlet(String name, @Nullable String className) {
        runtime.requireConfigurable();
        requireName(name);
        ServletHolder existing = registrations.servlets().named(name);
        if (existing != null) {
            return existing.complete(className) ? existing : null;
        }
        ServletHolder holder =
                ServletHolder.programmatic(runtime, registrations, name, className, null);
        registrations.servlets().add(holder);
        return holder;
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addJspFile(String name, String jspFile) {
        runtime.requireConfigurable();
        requireName(name);
        if (registrations.servlets().named(name) != null) {
            return null;
        }
        ServletHolder holder =
                ServletHolder.programmatic(runtime, registrations, name, null, jspFile);
        registrations.servlets().add(holder);
        return holder;
    }

    private static void requireName(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("a registration needs a name");
        }
    }

    @Override
    public <T extends Servlet> T createServlet(Class<T> type) throws ServletException {
        return runtime.create(type);
    }

    @Override
    public @Nullable ServletRegistration getServletRegistration(String name) {
        return registrations.servlets().named(name);
    }

    @Override
    public Map<String, ? extends ServletRegistration> getServletRegistrations() {
        return registrations.servlets().asMap();
    }

    // Filters

    @Override
    public FilterRegistration.@Nullable Dynamic addFilter(String name, String className) {
        return newFilter(name, className);
    }

    @Override
    public FilterRegistration.@Nullable Dynamic addFilter(String name, Filter filter) {
        Objects.requireNonNull(filter);
        FilterHolder holder = newFilter(name, filter.getClass().getName());
        if (holder != null) {
            holder.instance(filter);
        }
        return holder;
    }

    @Override
    public FilterRegistration.@Nullable Dynamic addFilter(
            String name, Class<? extends Filter> filterClass) {
        FilterHolder holder = newFilter(name, filterClass.getName());
        if (holder != null) {
            holder.type(filterClass);
        }
        return holder;
    }

    private @Nullable FilterHolder newFilter(String name, @Nullable String className) {
        runtime.requireConfigurable();
        requireName(name);
        FilterHolder existing = registrations.filters().named(name);
        if (existing != null) {
            return existing.complete(className) ? existing : null;
        }
        FilterHolder holder = new FilterHolder(runtime, registrations.filters(), name, className);
        registrations.filters().add(holder);
        return holder;
    }

    @Override
    public <T extends Filter> T createFilter(Class<T> type) throws ServletException {
        return runtime.create(type);
    }

    @Override
    public @Nullable FilterRegistration getFilterRegistration(String name) {
        return registrations.filters().named(name);
    }

    @Override
    public Map<String, ? extends FilterRegistration> getFilterRegistrations() {
        return registrations.filters().asMap();
    }

    // Listeners

    @Override
    public void addListener(String className) {
        runtime.requireConfigurable();
        try {
            addListener(createListener(runtime.load(className, EventListener.class)));
        } catch (ServletException e) {
            throw new IllegalArgumentException("listener " + className + ": " + e.getMessage(), e);
        }
    }

    @Override
    public <T extends EventListener> void addListener(T listener) {
        runtime.requireConfigurable();
        if (!registrations.listeners().admits(listener)) {
            throw new IllegalArgumentException(
                    listener.getClass().getName() + " is not a listener that can be added now");
        }
        registrations.listeners().add(listener);
    }

    @Override
    public void addListener(Class<? extends EventListener> listenerClass) {
        runtime.requireConfigurable();
        try {
            addListener(createListener(listenerClass));
        } catch (ServletException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    public <T extends EventListener> T createListener(Class<T> type) throws ServletException {
        if (!ListenerSet.isListener(type)) {
            throw new IllegalArgumentException(type.getName() + " is not a listener");
        }
        return runtime.create(type);
    }

    // Sessions

    @Override
    public SessionCookieConfig getSessionCookieConfig() {
        return app.sessions().cookie();
    }

    @Override
    public void setSessionTrackingModes(Set<SessionTrackingMode> modes) {
        runtime.requireConfigurable();
        app.sessions().trackingModes(modes);
    }

    @Override
    public Set<SessionTrackingMode> getDefaultSessionTrackingModes() {
        return app.sessions().defaultTrackingModes();
    }

    @Override
    public Set<SessionTrackingMode> getEffectiveSessionTrackingModes() {
        return app.sessions().trackingModes();
    }

    @Override
    public int getSessionTimeout() {
        return app.sessions().timeoutMinutes();
    }

    @Override
    public void setSessionTimeout(int minutes) {
        runtime.requireConfigurable();
        app.sessions().timeoutMinutes(minutes);
    }

    // The rest

    @Override
    public @Nullable JspConfigDescriptor getJspConfigDescriptor() {
        var jsp = runtime.descriptor().jsp();
        return jsp.groups().isEmpty() && jsp.taglibs().isEmpty() ? null : new JspConfig(jsp);
    }

    @Override
    public void declareRoles(String... roles) {
        runtime.requireConfigurable();
        for (String role : roles) {
            requireName(role);
        }
        Collections.addAll(registrations.declaredRoles(), roles);
    }

    @Override
    public @Nullable String getRequestCharacterEncoding() {
        return requestEncoding;
    }

    @Override
    public void setRequestCharacterEncoding(@Nullable String encoding) {
        runtime.requireConfigurable();
        requestEncoding = encoding;
    }

    @Override
    public void setRequestCharacterEncoding(@Nullable Charset encoding) {
        setRequestCharacterEncoding(encoding == null ? null : encoding.name());
    }

    @Override
    public @Nullable String getResponseCharacterEncoding() {
        return responseEncoding;
    }

    @Override
    public void setResponseCharacterEncoding(@Nullable String encoding) {
        runtime.requireConfigurable();
        responseEncoding = encoding;
    }

    @Override
    public void setResponseCharacterEncoding(@Nullable Charset encoding) {
        setResponseCharacterEncoding(encoding == null ? null : encoding.name());
    }
}
