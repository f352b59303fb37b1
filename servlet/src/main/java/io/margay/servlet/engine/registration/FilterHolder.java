package io.margay.servlet.engine.registration;

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
public final class FilterHolder extends ComponentHolder<Filter>
        implements FilterRegistration.Dynamic, FilterConfig {
    private final FilterSet filters;
    private boolean initialised;

    FilterHolder(AppRuntime runtime, FilterSet filters, FilterDef definition) {
        super(
                runtime,
                definition.name(),
                definition.className(),
                definition.initParams(),
                definition.asyncSupported());
        this.filters = filters;
    }

    /// A filter that is registered by program.
    public FilterHolder(
            AppRuntime runtime, FilterSet filters, String name, @Nullable String className) {
        super(runtime, name, className, Map.of(), false);
        this.filters = filters;
    }

    void init() throws ServletException {
        Filter made = instance;
        if (made == null) {
            Class<? extends Filter> known = type;
            made = runtime.create(known != null ? known : runtime.load(className, Filter.class));
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

    void rejoin() {
        if (initialised && instance instanceof ContainerFilter own) {
            own.rejoin();
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
            runtime.log("filter " + name + " failed in destroy", e);
        }
    }

    /// The filter, initialised before the first request.
    public Filter filter() {
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
        runtime.requireConfigurable();
        requireSome(servlets);
        filters.map(this, List.of(), List.of(servlets), dispatchers, after);
    }

    @Override
    public void addMappingForUrlPatterns(
            @Nullable EnumSet<DispatcherType> dispatchers, boolean after, String... patterns) {
        runtime.requireConfigurable();
        requireSome(patterns);
        filters.map(this, List.of(patterns), List.of(), dispatchers, after);
    }

    private static void requireSome(String @Nullable [] names) {
        if (names == null || names.length == 0) {
            throw new IllegalArgumentException("a filter mapping needs at least one target");
        }
    }

    @Override
    public Collection<String> getServletNameMappings() {
        return filters.servletNamesOf(this);
    }

    @Override
    public Collection<String> getUrlPatternMappings() {
        return filters.patternsOf(this);
    }
}
