package io.margay.servlet.engine.registration;

import io.margay.servlet.mapping.UrlPattern;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.MappingMatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The filters of one application and their mappings. Filled by the starting thread; fixed and read
/// by all afterwards.
public final class FilterSet {
    private final Map<String, FilterHolder> byName = new LinkedHashMap<>();
    private final List<Mapping> mappings = new ArrayList<>();

    /// How many mappings stand before those that the descriptor declares.
    private int early;

    /// One filter with what it is mapped to.
    private record Mapping(
            FilterHolder filter,
            List<UrlPattern> patterns,
            List<String> servlets,
            Set<DispatcherType> dispatchers) {}

    public void add(FilterHolder holder) {
        byName.put(holder.getName(), holder);
    }

    public @Nullable FilterHolder named(String name) {
        return byName.get(name);
    }

    public Map<String, FilterHolder> asMap() {
        return new HashMap<>(byName);
    }

    /// Adds a mapping, before or after those that the descriptor declares.
    void map(
            FilterHolder filter,
            List<String> patterns,
            List<String> servlets,
            @Nullable Set<DispatcherType> dispatchers,
            boolean after) {
        Set<DispatcherType> types =
                dispatchers == null || dispatchers.isEmpty()
                        ? EnumSet.of(DispatcherType.REQUEST)
                        : EnumSet.copyOf(dispatchers);
        Mapping mapping =
                new Mapping(
                        filter,
                        patterns.stream().map(FilterSet::filterPattern).toList(),
                        List.copyOf(servlets),
                        types);
        if (after) {
            mappings.add(mapping);
        } else {
            mappings.add(early++, mapping);
        }
    }

    /// A filter's `*` stands for every path, as if it were `/*`. There is no filter by default: its
    /// `/` stands for that path alone.
    private static UrlPattern filterPattern(String text) {
        if (text.equals("/")) {
            return new UrlPattern(text, MappingMatch.EXACT, text);
        }
        return UrlPattern.of(text.equals("*") ? "/*" : text);
    }

    public void init() throws ServletException {
        for (FilterHolder holder : byName.values()) {
            holder.init();
        }
    }

    public void leave() {
        byName.values().forEach(FilterHolder::leave);
    }

    public void rejoin() {
        byName.values().forEach(FilterHolder::rejoin);
    }

    public void destroy() {
        for (FilterHolder holder : new ArrayList<>(byName.values()).reversed()) {
            holder.destroy();
        }
    }

    /// The filters that may stand before a servlet: URL patterns first, then servlet names, each in
    /// order of declaration (Servlet 6.1 §6.2.4).
    FilterPlan plan(@Nullable ServletHolder servlet, DispatcherType dispatcher) {
        List<FilterPlan.Step> steps = new ArrayList<>();
        for (Mapping mapping : mappings) {
            if (mapping.dispatchers().contains(dispatcher)
                    && !mapping.patterns().isEmpty()
                    && mapping.filter().isNeeded()) {
                steps.add(new FilterPlan.Step(mapping.filter(), mapping.patterns()));
            }
        }
        for (Mapping mapping : mappings) {
            boolean named =
                    mapping.servlets().contains("*")
                            || (servlet != null && mapping.servlets().contains(servlet.getName()));
            if (named && mapping.dispatchers().contains(dispatcher)) {
                steps.add(new FilterPlan.Step(mapping.filter(), List.of()));
            }
        }
        return FilterPlan.of(steps);
    }

    Collection<String> servletNamesOf(FilterHolder filter) {
        Set<String> names = new LinkedHashSet<>();
        mappings.stream()
                .filter(m -> m.filter() == filter)
                .forEach(m -> names.addAll(m.servlets()));
        return names;
    }

    Collection<String> patternsOf(FilterHolder filter) {
        Set<String> patterns = new LinkedHashSet<>();
        mappings.stream()
                .filter(m -> m.filter() == filter)
                .forEach(m -> m.patterns().forEach(p -> patterns.add(p.text())));
        return patterns;
    }
}
