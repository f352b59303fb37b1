package io.margay.gateway.canary;

import io.margay.gateway.mirror.Copies;
import io.margay.gateway.mirror.MirrorConfig;
import io.margay.gateway.mirror.MirrorReading;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What routes give to others than their upstreams: new versions at work, and copies, of which
/// routes with the same upstream and the same configuration have one. Immutable but for what
/// happens inside.
///
/// @param canaries by upstream and configuration, as copies are
public record DividedRoutes(Map<Key, Canary> canaries, Map<Key, Copies> copies) {
    public static final DividedRoutes NONE = new DividedRoutes(Map.of(), Map.of());

    /// What makes it the same for several routes.
    ///
    /// @param config of the canary, or of the mirror
    public record Key(String upstream, Object config) {}

    /// What one route gives.
    public record Division(
            String upstream, @Nullable CanaryConfig canary, @Nullable MirrorConfig mirror) {}

    public DividedRoutes {
        canaries = Map.copyOf(canaries);
        copies = Map.copyOf(copies);
    }

    /// Those of other routes, going on with what these know.
    ///
    /// @param nanos a monotonic clock
    public DividedRoutes next(List<Division> routes, LongSupplier nanos) {
        Map<Key, Canary> versions = new HashMap<>();
        Map<Key, Copies> copied = new HashMap<>();
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
        }
        return new DividedRoutes(versions, copied);
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

    /// How the copies of its requests do.
    public List<MirrorReading> mirrors(String upstream) {
        return read(copies, upstream, one -> one.read());
    }

    private static <V, R> List<R> read(Map<Key, V> all, String upstream, Function<V, R> how) {
        return all.entrySet().stream()
                .filter(one -> one.getKey().upstream.equals(upstream))
                .map(one -> how.apply(one.getValue()))
                .toList();
    }
}
