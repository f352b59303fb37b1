package io.margay.app.site;

import io.margay.app.config.HostPlace;
import io.margay.app.config.HostSettings;
import io.margay.app.config.StartException;
import io.margay.app.deploy.SiteContext;
import io.margay.app.shared.SharedState;
import io.margay.gateway.cache.CachePurge;
import io.margay.gateway.cache.HostCache;
import io.margay.gateway.cache.SharedPurges;
import io.margay.gateway.limit.LimitReading;
import io.margay.gateway.limit.LimitZones;
import io.margay.gateway.limit.LimiterLimits;
import io.margay.gateway.limit.RequestLimit;
import io.margay.gateway.limit.RequestLimiters;
import io.margay.gateway.limit.TrafficRules;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.shield.SharedNonces;
import io.margay.gateway.shield.Shield;
import io.margay.gateway.shield.ShieldLimits;
import io.margay.gateway.shield.ShieldSettings;
import io.margay.gateway.substitute.Substitutions;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.handover.TravellingState;
import io.margay.server.meter.Meter;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The limits of hosts on requests and responses, and what they keep of responses. What a reload
/// does not change goes on counting, and is kept. Immutable.
///
/// @param cached of all caches together; null = none has been made
/// @param zones what limits of hosts count together; null = nothing has been counted
/// @param purges what gateways remove from their caches together; null = each by itself, or there
///   are none
record HostLimiters(
        Map<Of, Made> all,
        @Nullable MemoryBudget cached,
        @Nullable LimitZones zones,
        @Nullable SharedPurges purges) {
    /// Caches have half of the memory budget: what clients make the server hold has the rest.
    private static final int CACHES_PART = 2;

    static final HostLimiters NONE = new HostLimiters(Map.of(), null, null, null);

    /// Those of one host.
    ///
    /// @param requests how many it takes; null = any number
    /// @param traffic how large they may be, and how fast they are answered; null = nothing is said
    /// @param shield who is kept out; null = nobody
    /// @param cache which responses are kept; null = none
    /// @param substitutions what is replaced in them; null = nothing
    record Made(
            @Nullable RequestLimiters requests,
            @Nullable TrafficRules traffic,
            @Nullable Shield shield,
            @Nullable HostCache cache,
            @Nullable Substitutions substitutions) {
        static final Made NONE = new Made(null, null, null, null, null);

        boolean isNothing() {
            return requests == null
                    && traffic == null
                    && shield == null
                    && cache == null
                    && substitutions == null;
        }

        private List<LimitReading> read() {
            List<LimitReading> read = new ArrayList<>();
            if (requests != null) {
                read.addAll(requests.read());
            }
            if (traffic != null) {
                read.addAll(traffic.read());
            }
            return read;
        }
    }

    /// What the limits of a host depend on.
    private record Of(
            List<String> names,
            List<HostPlace> at,
            List<RequestLimit> limits,
            HostChanges changes,
            boolean readsFolders,
            @Nullable ShieldSettings shield) {
        Of(HostSettings host) {
            this(
                    host.names(),
                    host.at(),
                    host.limits(),
                    host.changes(),
                    host.access().readsFolders(),
                    host.shield());
        }

        String name() {
            return names.isEmpty() ? "*" : names.getFirst();
        }
    }

    /// Those of all hosts.
    ///
    /// @param before those in force
    /// @param context memory for responses that are held, and what counts with other gateways
    /// @throws StartException when one cannot be used
    static HostLimiters of(List<HostSettings> hosts, HostLimiters before, SiteContext context) {
        Map<Of, Made> made = new LinkedHashMap<>();
        MemoryBudget cached =
                before.cached == null && hosts.stream().anyMatch(HostLimiters::caches)
                        ? context.memory().part(CACHES_PART)
                        : before.cached;
        LimitZones zones =
                before.zones == null
                        ? new LimitZones(SecureRandom::new, LimiterLimits.defaults())
                        : before.zones;
        // Those in force, too: nobody knows yet whether the next configuration will be.
        zones.retain(
                Stream.concat(
                                hosts.stream().map(HostSettings::limits),
                                before.all.keySet().stream().map(Of::limits))
                        .flatMap(List::stream)
                        .toList());
        HostLimiters next = new HostLimiters(made, cached, zones, context.shared().purges());
        for (HostSettings host : hosts) {
            if (isUnlimited(host)) {
                continue;
            }
            Of of = new Of(host);
            Made known = before.all.get(of);
            Made limiters = known;
            if (limiters == null) {
                try {
                    limiters =
                            of.changes()
                                    .places()
                                    .during(() -> limiters(of, context, cached, zones));
                } catch (RuntimeException e) {
                    next.retire(before);
                    throw e;
                }
            }
            if (!limiters.equals(Made.NONE)) {
                made.put(of, limiters);
            }
        }
        return made.isEmpty() && cached == null ? NONE : next;
    }

    private static boolean caches(HostSettings host) {
        return !host.changes().cache().isEmpty();
    }

    /// Gives the memory of caches back that another site does not use.
    void retire(HostLimiters next) {
        all.values()
                .forEach(made -> {
                    if (made.cache != null && !next.all.containsValue(made)) {
                        made.cache.close();
                    }
                });
    }

    private static boolean isUnlimited(HostSettings host) {
        return host.limits().isEmpty()
                && host.shield() == null
                && host.changes().sizes().isEmpty()
                && host.changes().bandwidth().isEmpty()
                && host.changes().substitutions().isEmpty()
                && !caches(host)
                && !host.access().readsFolders();
    }

    private static Made limiters(
            Of of, SiteContext context, @Nullable MemoryBudget cached, LimitZones zones) {
        LimiterLimits bounds = LimiterLimits.defaults();
        try {
            RequestLimiters requests =
                    of.limits().isEmpty()
                            ? null
                            : RequestLimiters.of(
                                    of.limits(),
                                    of.name(),
                                    of.changes(),
                                    bounds,
                                    System::nanoTime,
                                    new SecureRandom(),
                                    zones,
                                    context.shared().counters());
            SharedPurges group = context.shared().purges();
            Consumer<CachePurge> purged = group == null ? _ -> {} : group::add;
            TrafficRules traffic =
                    TrafficRules.of(
                            of.changes(),
                            of.readsFolders(),
                            bounds,
                            context.memory(),
                            System::nanoTime);
            Shield shield = shield(of, context.shared());
            Substitutions substitutions =
                    Substitutions.of(
                            of.changes(),
                            of.readsFolders(),
                            RuleLimits.defaults(),
                            context.memory());
            HostCache cache = // the last, for it alone holds what must be given back
                    cached == null
                            ? null
                            : HostCache.of(
                                    of.changes(),
                                    cached,
                                    System::nanoTime,
                                    System::currentTimeMillis,
                                    purged);
            return new Made(requests, traffic, shield, cache, substitutions);
        } catch (IllegalArgumentException e) {
            throw new StartException(
                    "the limits of the host " + of.name() + " cannot be used: " + e.getMessage(),
                    e);
        }
    }

    private static @Nullable Shield shield(Of of, SharedState shared) {
        ShieldSettings settings = of.shield();
        if (settings == null) {
            return null;
        }
        SharedNonces nonces = settings.bots().signed().isEmpty() ? null : shared.nonces();
        Shield.Means means = ShieldMeans.OF_PROCESS.withNonces(nonces);
        return new Shield(settings, of.changes(), ShieldLimits.defaults(), means);
    }

    /// Those of a host.
    Made of(HostSettings host) {
        return all.isEmpty() || isUnlimited(host)
                ? Made.NONE
                : all.getOrDefault(new Of(host), Made.NONE);
    }

    /// What has been counted, for the process that goes on with it.
    List<TravellingState> states() {
        List<TravellingState> states = new ArrayList<>();
        if (zones != null) {
            states.addAll(zones.states(System::nanoTime));
        }
        all.forEach((of, made) -> {
            String host = of.names() + " " + of.at();
            if (made.requests != null) {
                states.addAll(made.requests.states(host));
            }
            if (made.shield != null) {
                states.add(made.shield.state(host));
            }
        });
        return states;
    }

    /// What hosts keep.
    List<HostCache> caches() {
        List<HostCache> caches = new ArrayList<>();
        for (Made made : all.values()) {
            if (made.cache != null) {
                caches.add(made.cache);
            }
        }
        return caches;
    }

    /// The numbers of limits, shields and caches.
    List<Meter> meters() {
        List<Meter> meters = new ArrayList<>();
        all.forEach((of, made) -> {
            made.read().forEach(one -> meters.addAll(Meter.with(one.meters(), "host", of.name())));
            if (made.shield != null) {
                meters.addAll(Meter.with(made.shield.read().meters(), "host", of.name()));
            }
            if (made.cache != null) {
                meters.addAll(Meter.with(made.cache.meters(), "host", of.name()));
            }
        });
        return meters;
    }
}
