package io.margay.gateway.simulation;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// The network between the machines of a simulation: what is sent from one to another comes after a
/// while, late, or never. Confined to one thread.
final class Links {
    /// What is wrong with one direction between two machines.
    enum Trouble {
        /// Nothing comes.
        CUT,
        /// Every other call is lost.
        LOSSY,
        /// A call takes as long as it may.
        SLOW
    }

    /// What is wrong with one direction now, and since when nothing is.
    private static final class Link {
        private final Map<Trouble, Integer> troubles = new EnumMap<>(Trouble.class);
        private long quietSince;
    }

    private static final int DELAY_MILLIS_MAX = 20;

    private final Timeline timeline;
    private final SplittableRandom random;
    private final long lifeMillis;

    /// Those that anything was wrong with so far, by both machines.
    private final Map<Long, Link> links = new HashMap<>();

    /// @param lifeMillis how long a call may be under way
    Links(Timeline timeline, SplittableRandom random, long lifeMillis) {
        this.timeline = timeline;
        this.random = random;
        this.lifeMillis = lifeMillis;
    }

    private static long key(int from, int to) {
        return ((long) from << 32) | to;
    }

    /// Something is wrong from now on, for a while.
    void trouble(int from, int to, Trouble what, long millis) {
        Link link = links.computeIfAbsent(key(from, to), _ -> new Link());
        int _ = link.troubles.merge(what, 1, Integer::sum);
        timeline.in(
                millis,
                () -> {
                    int left = link.troubles.merge(what, -1, Integer::sum);
                    if (left == 0) {
                        link.troubles.remove(what);
                    }
                    link.quietSince = timeline.now();
                });
    }

    /// Whether nothing has been wrong with either direction for so long.
    boolean isQuiet(int one, int other, long millis) {
        return isQuiet(links.get(key(one, other)), millis)
                && isQuiet(links.get(key(other, one)), millis);
    }

    private boolean isQuiet(@Nullable Link link, long millis) {
        return link == null
                || (link.troubles.isEmpty() && timeline.now() - link.quietSince >= millis);
    }

    /// Has a call come to another machine.
    ///
    /// @param arrival what happens there
    void send(int from, int to, Runnable arrival) {
        Link link = links.get(key(from, to));
        Map<Trouble, Integer> wrong = link == null ? Map.of() : link.troubles;
        if (wrong.containsKey(Trouble.CUT)
                || (wrong.containsKey(Trouble.LOSSY) && random.nextBoolean())) {
            return;
        }
        long most = wrong.containsKey(Trouble.SLOW) ? lifeMillis : DELAY_MILLIS_MAX;
        timeline.in(1 + random.nextLong(most), arrival);
    }
}
