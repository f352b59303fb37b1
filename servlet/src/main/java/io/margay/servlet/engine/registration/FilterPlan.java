package io.margay.servlet.engine.registration;

import io.margay.servlet.mapping.UrlPattern;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The filters that may stand before one servlet for one dispatcher type. Immutable.
///
/// When every filter applies to every path, which is usual, the same array serves all requests.
public final class FilterPlan {
    private static final FilterHolder[] NONE = {};

    private final Step[] steps;
    private final FilterHolder @Nullable [] always;

    /// A filter with the patterns that it needs; none = it applies whatever the path.
    record Step(FilterHolder filter, List<UrlPattern> patterns) {
        boolean applies(@Nullable String path) {
            if (patterns.isEmpty()) {
                return true;
            }
            for (int i = 0; i < patterns.size(); i++) {
                UrlPattern pattern = patterns.get(i);
                if (path == null ? pattern.coversAll() : pattern.covers(path)) {
                    return true;
                }
            }
            return false;
        }

        boolean appliesAlways() {
            return patterns.isEmpty() || patterns.stream().anyMatch(UrlPattern::coversAll);
        }
    }

    private FilterPlan(Step[] steps, FilterHolder @Nullable [] always) {
        this.steps = steps;
        this.always = always;
    }

    static FilterPlan of(List<Step> steps) {
        Step[] all = steps.toArray(Step[]::new);
        boolean fixed = steps.stream().allMatch(Step::appliesAlways);
        return new FilterPlan(all, fixed ? select(all, "/") : null);
    }

    /// The filters for a path within the context, each once; null = a named dispatch, which has no
    /// path.
    public FilterHolder[] filters(@Nullable String path) {
        return always != null ? always : select(steps, path);
    }

    private static FilterHolder[] select(Step[] steps, @Nullable String path) {
        List<FilterHolder> selected = new ArrayList<>(steps.length);
        for (Step step : steps) {
            if (step.applies(path) && !selected.contains(step.filter())) {
                selected.add(step.filter());
            }
        }
        return selected.isEmpty() ? NONE : selected.toArray(FilterHolder[]::new);
    }
}
