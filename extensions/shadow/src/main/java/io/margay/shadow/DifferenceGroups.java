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
import java.util.stream.Stream;

/// Differences by cause, and the places at which the old server differs from itself. Thread-safe.
final class DifferenceGroups {
    /// How often a server must differ from itself at a place before nothing there counts.
    private static final int LEARNED_AFTER = 2;

    /// And in which part of the times it was asked, at least: one in so many.
    private static final int LEARNED_ONE_IN = 20;

    /// A cause that was confirmed so often is believed from then on.
    private static final int CONFIRMED_ENOUGH = 3;

    /// But for one in so many: a page may begin to differ by itself.
    private static final int ASKED_ONE_IN = 20;

    /// Places of error pages that are told apart for one cause, so that one of them may be learned.
    private static final int PLACES_MAX = 10;

    private static final String OTHERS = "(others)";

    private final ShadowLimits limits;
    private final Set<String> patterns = new HashSet<>();
    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final Map<String, Integer> unstable = new HashMap<>();
    private final Map<String, Integer> repeats = new HashMap<>();
    private long beyond;

    /// Which requests have a difference.
    ///
    /// @param pattern method and pattern of the path, by which places are learned
    /// @param told what is told: errors with one status are one cause, whichever path has them
    record Asked(String pattern, String told) {
        String cause(Difference one) {
            return told + " " + one.told().cause();
        }

        String place(Difference one) {
            return pattern + " " + one.spot();
        }
    }

    /// One cause, as it is now.
    ///
    /// @param target of the example, without what was typed into forms
    /// @param first difference that was found
    /// @param count answers that have it
    /// @param confirmed of them, those where the old server was asked again and agreed with itself
    record Group(Asked asked, String target, Difference first, long count, long confirmed) {
        String request() {
            return asked.told;
        }

        Difference example() {
            return first.told();
        }

        String cause() {
            return asked.cause(first);
        }

        Group and(Group other) {
            return new Group(
                    asked, target, first, count + other.count, confirmed + other.confirmed);
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
    synchronized List<Difference> stable(Asked asked, List<Difference> all) {
        return all.stream().filter(one -> !isUnstable(asked, one)).toList();
    }

    private boolean isUnstable(Asked asked, Difference one) {
        int count = unstable.getOrDefault(asked.place(one), 0);
        return one.kind().isLearned()
                && count >= LEARNED_AFTER
                && count >= repeats.getOrDefault(asked.pattern, 0) / LEARNED_ONE_IN;
    }

    /// Whether a cause was confirmed often enough.
    synchronized boolean isSure(Asked asked, Difference one) {
        return of(asked.cause(one)).mapToLong(Group::confirmed).sum() >= CONFIRMED_ENOUGH;
    }

    /// Whether it is asked about all the same.
    synchronized boolean isAskedNow(Asked asked, Difference one) {
        return of(asked.cause(one)).mapToLong(Group::count).sum() % ASKED_ONE_IN == 0;
    }

    private Stream<Group> of(String cause) {
        return groups.values().stream().filter(group -> group.cause().equals(cause));
    }

    /// The old server was asked twice. Where it differs from itself again and again is learned, and
    /// what was counted there before is forgotten.
    synchronized void repeated(Asked asked, List<Difference> all) {
        repeats.merge(asked.pattern, 1, Integer::sum);
        for (Difference one : all) {
            String place = asked.place(one);
            boolean room = unstable.size() < 2 * limits.groupsMax() * limits.differencesMax();
            if (one.kind().isLearned() && (room || unstable.containsKey(place))) {
                unstable.merge(place, 1, Integer::sum);
            }
        }
        groups.values()
                .removeIf(group ->
                        group.asked.pattern.equals(asked.pattern)
                                && isUnstable(asked, group.first));
    }

    /// Counts differences of one pair of answers.
    ///
    /// @param sure whether the old server was asked again and agreed with itself
    synchronized void count(Asked asked, String target, List<Difference> all, boolean sure) {
        Set<String> counted = new HashSet<>();
        for (Difference one : all) {
            String cause = asked.cause(one);
            if (!counted.add(cause)) {
                continue;
            }
            Group found = new Group(asked, target, one, 1, sure ? 1 : 0);
            List<Group> known = of(cause).toList();
            String key = cause + " in " + asked.place(one);
            if (known.size() >= PLACES_MAX && !groups.containsKey(key)) {
                Group first = known.getFirst();
                key = cause + " in " + first.asked.place(first.first);
            }
            if (groups.size() < limits.groupsMax() || groups.containsKey(key)) {
                groups.merge(key, found, Group::and);
            } else {
                beyond++;
            }
        }
    }

    /// All of them, one for each cause, the most frequent first.
    synchronized List<Group> all() {
        Map<String, Group> causes = new LinkedHashMap<>();
        groups.values().forEach(group -> causes.merge(group.cause(), group, Group::and));
        List<Group> all = new ArrayList<>(causes.values());
        all.sort(Comparator.comparingLong(Group::count).reversed().thenComparing(Group::cause));
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
