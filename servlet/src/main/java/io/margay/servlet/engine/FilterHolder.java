package io.margay.servlet.engine;

import io.margay.servlet.descriptor.WebAppDescriptor.FilterDef;
import io.margay.servlet.settings.ContainerFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One registered filter: its registration, configuration and instance. Written by the starting
/// thread only.
final class FilterHolder extends ComponentHolder<Filter>
        implements FilterRegistration.Dynamic, FilterConfig {
    private boolean initialised;

    FilterHolder(Application app, FilterDef definition) {
        super(
                app,
                definition.name(),
                definition.className(),
                definition.initParams(),
                definition.asyncSupported());
    }

    /// A filter that is registered by program.
    FilterHolder(Application app, String name, @Nullable String className) {
        super(app, name, className, Map.of(), false);
    }

    void init() throws ServletException {
        Filter made = instance;
        if (made == null) {
            Class<? extends Filter> known = type;
            made = app.create(known != null ? known : app.load(className, Filter.class));
            instance = made;
        }
        made.init(this);
        initialised = true;
    }

    void leave() {
        if (initialised && instance instanceof ContainerFilter own) {
            own.leave();
        }
    }

    void destroy() {
        if (!initialised || instance == null) {
            return;
        }
        initialised = false;
        try {
            instance.destroy();
        } catch (RuntimeException | LinkageError e) {
            app.log("filter " + name + " failed in destroy", e);
        }
    }

    /// The filter, initialised before the first request.
    Filter filter() {
        Filter made = instance;
        if (made == null) {
            throw new IllegalStateException("filter " + name + " has not been started");
        }
        return made;
    }

    /// Whether requests are to pass it.
    boolean isNeeded() {
        return !(instance instanceof ContainerFilter own) || own.isNeeded();
    }

    @Override
    public String getFilterName() {
        return name;
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
