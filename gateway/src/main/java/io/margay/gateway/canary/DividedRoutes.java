package io.margay.gateway.canary;

import io.margay.gateway.config.HedgeConfig;
import io.margay.gateway.mirror.Copies;
import io.margay.gateway.mirror.MirrorConfig;
import io.margay.gateway.mirror.MirrorReading;
import io.margay.gateway.retry.HedgeReading;
import io.margay.gateway.retry.Hedging;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What routes give to others than their upstreams: new versions at work, and copies, of which
/// routes with the same upstream and the same configuration have one. Immutable but for what
/// happens inside.
///
/// @param canaries by upstream and configuration, as copies are
/// @param hedges by upstream, path of the route and configuration
public record DividedRoutes(
        Map<Key, Canary> canaries, Map<Key, Copies> copies, Map<Key, Hedging> hedges) {
    public static final DividedRoutes NONE = new DividedRoutes(Map.of(), Map.of(), Map.of());

    /// What makes it the same for several routes.
    ///
    /// @param config of the canary, or of the mirror, or a [Hedged]
    public record Key(String upstream, Object config) {}

    /// How a second member is asked at a path.
    public record Hedged(String path, HedgeConfig config) {}

    /// What one route gives.
    ///
    /// @param path where it is
    public record Division(
            String upstream,
            String path,
            @Nullable CanaryConfig canary,
            @Nullable MirrorConfig mirror,
            @Nullable HedgeConfig hedge) {}

    public DividedRoutes {
        canaries = Map.copyOf(canaries);
        copies = Map.copyOf(copies);
        hedges = Map.copyOf(hedges);
    }

    /// Those of other routes, going on with what these know.
    ///
    /// @param nanos a monotonic clock
    public DividedRoutes next(List<Division> routes, LongSupplier nanos) {
        Map<Key, Canary> versions = new HashMap<>();
        Map<Key, Copies> copied = new HashMap<>();
        Map<Key, Hedging> hedged = new HashMap<>();
        for (Division route : routes) {
            CanaryConfig canary = route.canary;
            if (canary != null) {
                Key key = new Key(route.upstream, canary);
                Canary known = canaries.get(key);
                versions.putIfAbsent(
                        key, known == null ? begun(route.upstream, canary, nanos) : known);
            }
            MirrorConfig mirror = route.mirror;
            if (mirror != null) {
                Key key = new Key(route.upstream, mirror);
                Copies known = copies.get(key);
                copied.putIfAbsent(key, known == null ? new Copies(mirror) : known);
            }
            HedgeConfig hedge = route.hedge;
            if (hedge != null) {
                Key key = new Key(route.upstream, new Hedged(route.path, hedge));
                Hedging known = hedges.get(key);
                hedged.putIfAbsent(key, known == null ? new Hedging(hedge) : known);
            }
        }
        return new DividedRoutes(versions, copied, hedged);
    }

    /// One whose secret alone is another goes on.
    private Canary begun(String upstream, CanaryConfig by, LongSupplier nanos) {
        Canary made = new Canary(upstream, by, nanos);
        for (Canary one : canaries.values()) {
            if (one.name().equals(made.name())) {
                made.follow(one);
            }
        }
        return made;
    }

    /// The canary of a route.
    public Canary canary(String upstream, CanaryConfig by) {
        return found(canaries, upstream, by);
    }

    /// The copies of a route.
    public Copies copies(String upstream, MirrorConfig by) {
        return found(copies, upstream, by);
    }

    /// What is known of second members of a route.
    public Hedging hedging(String upstream, String path, HedgeConfig by) {
        return found(hedges, upstream, new Hedged(path, by));
    }

    private static <V> V found(Map<Key, V> among, String upstream, Object config) {
        V found = among.get(new Key(upstream, config));
        if (found == null) {
            throw new IllegalArgumentException("no route of " + upstream + " has it");
        }
        return found;
    }

    /// All canaries.
    public Collection<Canary> all() {
        return canaries.values();
    }

    /// How the canaries of an upstream do.
    public List<CanaryReading> canaries(String upstream) {
        return read(canaries, upstream, one -> one.read());
    }

    /// How the canaries do that are no upstream's, by the name of what has them; of several
    /// versions, the newest.
    ///
    /// @param prefix with which these names begin
    public Map<String, CanaryReading> named(String prefix) {
        Map<String, CanaryReading> named = new TreeMap<>();
        canaries.forEach((key, one) -> {
            if (key.upstream.startsWith(prefix)) {
                named.merge(
                        key.upstream.substring(prefix.length()),
                        one.read(),
                        (some, other) -> some.to().compareTo(other.to()) < 0 ? other : some);
            }
        });
        return named;
    }

    /// How the copies of its requests do.
    public List<MirrorReading> mirrors(String upstream) {
        return read(copies, upstream, one -> one.read());
    }

    /// How second members are asked for its requests.
    public List<HedgeReading> hedges(String upstream) {
        return hedges.entrySet().stream()
                .filter(one -> one.getKey().upstream.equals(upstream))
                .map(one -> one.getValue().read(((Hedged) one.getKey().config).path))
                .toList();
    }

    private static <V, R> List<R> read(Map<Key, V> all, String upstream, Function<V, R> how) {
        return all.entrySet().stream()
                .filter(one -> one.getKey().upstream.equals(upstream))
                .map(one -> how.apply(one.getValue()))
                .toList();
    }
}
