package io.margay.gateway.rules;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/// The order of rules that a host and files in its folders say. Stateless.
public final class RuleOrder {
    private RuleOrder() {}

    /// Rules of a host or folder with those of a folder below, by their order; of those alike, the
    /// outer ones come first.
    public static <T> List<T> merged(List<T> outer, List<T> inner, ToIntFunction<T> order) {
        List<T> all = new ArrayList<>(outer);
        all.addAll(inner);
        all.sort(Comparator.comparingInt(order));
        return all;
    }
}
