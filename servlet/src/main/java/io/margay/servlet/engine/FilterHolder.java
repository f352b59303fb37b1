package io.margay.servlet.engine;

import io.margay.servlet.descriptor.WebAppDescriptor.FilterDef;
import io.margay.servlet.settings.ContainerFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One registered filter: its registration, configuration and instance. Written by the starting
/// thread only.
final class FilterHolder implements FilterRegistration.Dynamic, FilterConfig {
    private final Application app;
    private final String name;
    private final InitParameters parameters;
    private @Nullable String className;
    private @Nullable Class<? extends Filter> type;
    private @Nullable Filter filter;
    private boolean initialised;
    private boolean asyncSupported;

    FilterHolder(Application app, FilterDef definition) {
        this.app = app;
        this.name = definition.name();
        this.className = definition.className();
        this.parameters = new InitParameters(definition.initParams());
        this.asyncSupported = definition.asyncSupported();
    }

    FilterHolder(Application app, String name, @Nullable String className) {
        this.app = app;
        this.name = name;
        this.className = className;
        this.parameters = new InitParameters(Map.of());
    }

    FilterHolder instance(Filter given) {
        this.filter = given;
        this.className = given.getClass().getName();
        return this;
    }

    FilterHolder type(Class<? extends Filter> filterType) {
        this.type = filterType;
        this.className = filterType.getName();
        return this;
    }

    /// Gives a preliminary declaration, whose class is missing, its class; false when it has one.
    boolean complete(@Nullable String missing) {
        if (className != null) {
            return false;
        }
        className = missing;
        return true;
    }

    void init() throws ServletException {
        Filter made = filter;
        if (made == null) {
            Class<? extends Filter> known = type;
            made = app.create(known != null ? known : app.load(className, Filter.class));
            filter = made;
        }
        made.init(this);
        initialised = true;
    }

    void leave() {
        if (initialised && filter instanceof ContainerFilter own) {
            own.leave();
        }
    }

    void destroy() {
        if (!initialised || filter == null) {
            return;
        }
        initialised = false;
        try {
            filter.destroy();
        } catch (RuntimeException | LinkageError e) {
            app.log("filter " + name + " failed in destroy", e);
        }
    }

    /// The filter, initialised before the first request.
    Filter filter() {
        Filter made = filter;
        if (made == null) {
            throw new IllegalStateException("filter " + name + " has not been started");
        }
        return made;
    }

    /// Whether requests are to pass it.
    boolean isNeeded() {
        return !(filter instanceof ContainerFilter own) || own.isNeeded();
    }

    boolean asyncSupported() {
        return asyncSupported;
    }

    @Override
    public String getFilterName() {
        return name;
    }

    @Override
    public ServletContext getServletContext() {
        return app.facade();
    }

    @Override
    public @Nullable String getInitParameter(String parameter) {
        return parameters.get(parameter);
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
        return parameters.names();
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public @Nullable String getClassName() {
        return className;
    }

    @Override
    public boolean setInitParameter(String parameter, String value) {
        app.requireConfigurable();
        return parameters.set(parameter, value);
    }

    @Override
    public Set<String> setInitParameters(Map<String, String> added) {
        app.requireConfigurable();
        return parameters.setAll(added);
    }

    @Override
    public Map<String, String> getInitParameters() {
        return parameters.map();
    }

    @Override
    public void setAsyncSupported(boolean supported) {
        app.requireConfigurable();
        asyncSupported = supported;
    }

    @Override
    public void addMappingForServletNames(
            @Nullable EnumSet<DispatcherType> dispatchers, boolean after, String... servlets) {
        app.requireConfigurable();
        requireSome(servlets);
        app.filters().map(this, List.of(), List.of(servlets), dispatchers, after);
    }

    @Override
    public void addMappingForUrlPatterns(
            @Nullable EnumSet<DispatcherType> dispatchers, boolean after, String... patterns) {
        app.requireConfigurable();
        requireSome(patterns);
        app.filters().map(this, List.of(patterns), List.of(), dispatchers, after);
    }

    private static void requireSome(String @Nullable [] names) {
        if (names == null || names.length == 0) {
            throw new IllegalArgumentException("a filter mapping needs at least one target");
        }
    }

    @Override
    public Collection<String> getServletNameMappings() {
        return app.filters().servletNamesOf(this);
    }

    @Override
    public Collection<String> getUrlPatternMappings() {
        return app.filters().patternsOf(this);
    }
}
