package io.margay.servlet.engine.registration;

import io.margay.servlet.mapping.UrlMap;
import io.margay.servlet.mapping.UrlPattern;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The servlets of one application and their mappings. Filled by the starting thread; fixed and
/// read by all afterwards.
public final class ServletSet {
    private final Map<String, ServletHolder> byName = new LinkedHashMap<>();
    private final Map<UrlPattern, ServletHolder> mappings = new LinkedHashMap<>();
    private UrlMap<ServletHolder> map = new UrlMap<>(Map.of());

    /// Patterns of the container's own servlets, which the application may take over.
    private final Set<UrlPattern> implicit = new LinkedHashSet<>();

    public void add(ServletHolder holder) {
        byName.put(holder.getName(), holder);
    }

    public @Nullable ServletHolder named(String name) {
        return byName.get(name);
    }

    public Collection<ServletHolder> all() {
        return byName.values();
    }

    public Map<String, ServletHolder> asMap() {
        return new HashMap<>(byName);
    }

    /// Maps all patterns, or none when any is taken by another servlet; answers those taken.
    Set<String> map(ServletHolder holder, List<String> patterns) {
        Set<String> taken = new LinkedHashSet<>();
        for (String text : patterns) {
            UrlPattern pattern = UrlPattern.of(text);
            ServletHolder other = mappings.get(pattern);
            if (other != null && other != holder && !implicit.contains(pattern)) {
                taken.add(text);
            }
        }
        if (taken.isEmpty()) {
            for (String text : patterns) {
                UrlPattern pattern = UrlPattern.of(text);
                implicit.remove(pattern);
                mappings.put(pattern, holder);
            }
            rebuild();
        }
        return taken;
    }

    /// Maps a servlet of the container, where the application has mapped nothing.
    void mapImplicitly(ServletHolder holder, String text) {
        UrlPattern pattern = UrlPattern.of(text);
        if (mappings.putIfAbsent(pattern, holder) == null) {
            implicit.add(pattern);
            rebuild();
        }
    }

    Collection<String> patternsOf(ServletHolder holder) {
        Set<String> patterns = new LinkedHashSet<>();
        mappings.forEach((pattern, target) -> {
            if (target == holder) {
                patterns.add(pattern.text());
            }
        });
        return patterns;
    }

    public UrlMap.@Nullable Mapped<ServletHolder> find(String path) {
        return map.find(path);
    }

    private void rebuild() {
        map = new UrlMap<>(mappings);
    }
}
