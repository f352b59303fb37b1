package io.margay.app.site;

import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.discovery.Discovery;
import io.margay.gateway.discovery.DiscoveryLimits;
import io.margay.gateway.discovery.DiscoveryReading;
import io.margay.gateway.discovery.MemberFinder;
import io.margay.gateway.discovery.MemberFinders;
import io.margay.gateway.discovery.Registrar;
import io.margay.gateway.discovery.Registrations;
import io.margay.gateway.discovery.SharedRegistrations;
import io.margay.gateway.health.HealthChecks;
import io.margay.gateway.peer.PeerPools;
import io.margay.server.handover.TravellingState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where the members of a site's upstreams come from that come and go. Immutable but for what
/// happens inside of it; a reload takes over what upstreams have that have not changed, and who has
/// registered.
final class MemberSources {
    static final MemberSources NONE = new MemberSources(Map.of(), Map.of(), Map.of());

    private static final DiscoveryLimits LIMITS = DiscoveryLimits.defaults();

    private final Map<Upstream, Discovery> discoveries;

    /// By the names of upstreams, as what follows.
    private final Map<String, Registrations> registrations;

    private final Map<String, Registrar> registrars;

    private MemberSources(
            Map<Upstream, Discovery> discoveries,
            Map<String, Registrations> registrations,
            Map<String, Registrar> registrars) {
        this.discoveries = Map.copyOf(discoveries);
        this.registrations = Map.copyOf(registrations);
        this.registrars = Map.copyOf(registrars);
    }

    /// Those of other upstreams; what new ones say is waited for a little.
    ///
    /// @param checked those that are checked
    /// @param used the connections to their peers
    /// @param joined is run when members may have joined
    MemberSources next(
            Collection<Upstream> upstreams,
            Map<Upstream, HealthChecks> checked,
            PeerPools used,
            Runnable joined) {
        Map<Upstream, Discovery> found = new HashMap<>();
        Map<String, Registrations> registered = new HashMap<>();
        Map<String, Registrar> open = new HashMap<>();
        List<Discovery> begun = new ArrayList<>();
        for (Upstream upstream : upstreams) {
            if (upstream.configured().sources().isEmpty()) {
                continue;
            }
            String name = upstream.config().name();
            Registrations known = registrations.get(name);
            Registrations here =
                    known == null ? new Registrations(System::nanoTime, LIMITS) : known;
            Discovery discovery = discoveries.get(upstream);
            if (discovery == null) {
                discovery =
                        new Discovery(
                                upstream, each -> finder(each, here), System::nanoTime, LIMITS);
                begun.add(discovery);
            }
            found.put(upstream, discovery);
            Registrar registrar = registrar(upstream, here, discovery);
            if (registrar != null) {
                registered.put(name, here);
                open.put(name, registrar);
            }
            HealthChecks running = checked.get(upstream);
            discovery.onChange(change -> {
                joined.run();
                change.left().forEach(used::retire);
                if (running != null) {
                    running.changed(upstream);
                }
            });
        }
        long until = System.nanoTime() + LIMITS.first().toNanos();
        begun.forEach(Discovery::start);
        begun.forEach(discovery -> discovery.awaitFirst(until));
        return new MemberSources(found, registered, open);
    }

    private static MemberFinder finder(MemberSource source, Registrations registrations) {
        return source.place() instanceof MemberSource.Registered
                ? registrations.finder(source)
                : MemberFinders.of(source, LIMITS, System::nanoTime);
    }

    private static @Nullable Registrar registrar(
            Upstream upstream, Registrations registrations, Discovery discovery) {
        for (MemberSource each : upstream.configured().sources()) {
            if (each.place() instanceof MemberSource.Registered place) {
                return new Registrar(
                        upstream.config().name(),
                        each,
                        place,
                        registrations,
                        () -> discovery.refresh(each),
                        LIMITS);
            }
        }
        return null;
    }

    /// Who lets members of an upstream register; null = nobody does.
    @Nullable Registrar registrar(String upstream) {
        return registrars.get(upstream);
    }

    /// Who has registered, for the process that goes on with them.
    List<TravellingState> states() {
        return registrars.values().stream().map(Registrar::state).toList();
    }

    /// Who has registered, by the names of upstreams.
    Map<String, Registrations> registrations() {
        return registrations;
    }

    /// Asks the other gateways for the members of upstreams where members register, and waits for
    /// the first one as long as its source says.
    ///
    /// @param group null = they share nothing
    void awaitRegistered(@Nullable SharedRegistrations group) {
        if (group != null) {
            registrars.values().forEach(each -> each.askGroup(group));
        }
        long begin = System.nanoTime();
        discoveries.forEach((upstream, discovery) -> {
            Registrations here = registrations.get(upstream.config().name());
            for (MemberSource each : upstream.configured().sources()) {
                if (here != null && each.place() instanceof MemberSource.Registered place) {
                    here.awaitMember(begin + place.patience().toNanos() - System.nanoTime());
                    discovery.refresh(each);
                }
            }
        });
    }

    /// How the sources of an upstream do.
    List<DiscoveryReading> read(Upstream upstream) {
        Discovery discovery = discoveries.get(upstream);
        return discovery == null ? List.of() : discovery.read();
    }

    /// Ends the looking for members that `next` does not go on with.
    void retire(MemberSources next) {
        discoveries.forEach((upstream, discovery) -> {
            if (!next.discoveries.containsKey(upstream)) {
                discovery.close();
            }
        });
    }
}
