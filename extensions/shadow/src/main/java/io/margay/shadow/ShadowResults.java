package io.margay.shadow;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// What came of comparing two servers. Immutable.
///
/// @param compared requests whose two answers were compared
/// @param differing of them, those whose answers differ
/// @param leftOut requests that were not compared, or not wholly, and why
/// @param groups differences by cause, the most frequent first
record ShadowResults(
        long compared,
        long differing,
        Map<Reason, Long> leftOut,
        List<DifferenceGroups.Group> groups,
        Asides asides,
        Sides sides) {
    /// Pairs of which it can be said that a server is slower.
    private static final int PAIRS_ENOUGH = 50;

    /// @param beyond differences in none of the groups
    /// @param places at which the old server differs from itself
    /// @param repeated requests that the old server got twice
    /// @param unrecorded requests that are not in the trace
    record Asides(long beyond, long places, long repeated, long unrecorded) {}

    /// How one server has answered: milliseconds, and counts.
    record Times(double p50, double p90, double p99, long failed, long silent) {
        static Times of(ShadowNumbers numbers) {
            return new Times(
                    numbers.millis(0.5),
                    numbers.millis(0.9),
                    numbers.millis(0.99),
                    numbers.failed(),
                    numbers.silent());
        }
    }

    /// Both servers.
    ///
    /// @param slowerMore by how many more of the pairs the new one was slower by over 10 ms than
    ///   faster
    record Sides(Times old, Times fresh, long slowerMore) {}

    ShadowResults {
        leftOut = Collections.unmodifiableMap(new TreeMap<>(leftOut));
        groups = List.copyOf(groups);
    }

    /// Whether most answers of the new server come more than 10 ms later.
    boolean isSlower() {
        return compared >= PAIRS_ENOUGH && sides.slowerMore > compared / 2;
    }

    boolean differs() {
        return !groups.isEmpty() || asides.beyond > 0;
    }

    /// The whole in one line.
    String verdict() {
        if (compared == 0) {
            return "nothing was compared";
        }
        String all = count(compared) + (compared == 1 ? " request" : " requests") + " compared: ";
        if (!differs()) {
            return all + "no difference";
        }
        String reasons = groups.size() == 1 ? " reason" : " reasons";
        return all + count(differing) + " with differences, for " + count(groups.size()) + reasons;
    }

    /// A count as it is read.
    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
