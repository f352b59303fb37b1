package io.margay.shadow;

import io.margay.gateway.mirror.ShadowLimits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Differences by cause, and the places at which the old server differs from itself. Thread-safe.
final class DifferenceGroups {
    /// How often a server must differ from itself at a place before nothing there counts.
    private static final int LEARNED_AFTER = 2;

    /// And in which part of the times it was asked, at least: one in so many.
    private static final int LEARNED_ONE_IN = 20;

    /// A cause that was confirmed so often is believed from then on.
    private static final int CONFIRMED_ENOUGH = 3;

    private static final String OTHERS = "(others)";

    private final ShadowLimits limits;
    private final Set<String> patterns = new HashSet<>();
    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final Map<String, Integer> unstable = new HashMap<>();
    private final Map<String, Integer> repeats = new HashMap<>();
    private long beyond;

    /// One cause, as it is now.
    ///
    /// @param request method and pattern of the path
    /// @param target of the example, without what was typed into forms
    /// @param count answers that have it
    /// @param confirmed of them, those where the old server was asked again and agreed with itself
    record Group(String request, String target, Difference example, long count, long confirmed) {
        String key() {
            return request + " " + example.cause();
        }

        Group more(boolean sure) {
            return new Group(request, target, example, count + 1, confirmed + (sure ? 1 : 0));
        }
    }

    DifferenceGroups(ShadowLimits limits) {
        this.limits = limits;
    }

    /// The pattern under which a path is counted.
    synchronized String pattern(String method, String path) {
        String pattern = method + " " + PathPattern.of(path);
        if (patterns.contains(pattern)) {
            return pattern;
        }
        if (patterns.size() >= limits.patternsMax()) {
            return method + " " + OTHERS;
        }
        patterns.add(pattern);
        return pattern;
    }

    /// Those that are not known to differ by themselves.
    synchronized List<Difference> stable(String request, List<Difference> all) {
        return all.stream().filter(one -> !isUnstable(request, one)).toList();
    }

    private boolean isUnstable(String request, Difference one) {
        int count = unstable.getOrDefault(request + " " + one.spot(), 0);
        return one.kind().isLearned()
                && count >= LEARNED_AFTER
                && count >= repeats.getOrDefault(request, 0) / LEARNED_ONE_IN;
    }

    /// Whether it would be believed without asking once more.
    synchronized boolean isSure(String request, Difference one) {
        Group known = groups.get(request + " " + one.cause());
        return known != null && known.confirmed >= CONFIRMED_ENOUGH;
    }

    /// The old server was asked twice. Where it differs from itself again and again is learned, and
    /// what was counted there before is forgotten.
    synchronized void repeated(String request, List<Difference> all) {
        repeats.merge(request, 1, Integer::sum);
        for (Difference one : all) {
            String spot = request + " " + one.spot();
            boolean room = unstable.size() < 2 * limits.groupsMax() * limits.differencesMax();
            if (one.kind().isLearned() && (room || unstable.containsKey(spot))) {
                unstable.merge(spot, 1, Integer::sum);
            }
        }
        groups.values()
                .removeIf(group ->
                        group.request.equals(request) && isUnstable(request, group.example));
    }

    /// Counts differences of one pair of answers.
    ///
    /// @param sure whether the old server was asked again and agreed with itself
    synchronized void count(String request, String target, List<Difference> all, boolean sure) {
        Set<String> counted = new HashSet<>();
        for (Difference one : all) {
            String key = request + " " + one.cause();
            if (!counted.add(key)) {
                continue;
            }
            Group known = groups.get(key);
            if (known != null) {
                groups.put(key, known.more(sure));
            } else if (groups.size() < limits.groupsMax()) {
                groups.put(key, new Group(request, target, one, 1, sure ? 1 : 0));
            } else {
                beyond++;
            }
        }
    }

    /// All of them, the most frequent first.
    synchronized List<Group> all() {
        List<Group> all = new ArrayList<>(groups.values());
        all.sort(Comparator.comparingLong(Group::count).reversed().thenComparing(Group::key));
        return all;
    }

    /// Differences that were in none of the groups, since there were too many.
    synchronized long beyond() {
        return beyond;
    }

    /// Places at which the old server differs from itself.
    synchronized long places() {
        return unstable.values().stream().filter(count -> count >= LEARNED_AFTER).count();
    }
}
