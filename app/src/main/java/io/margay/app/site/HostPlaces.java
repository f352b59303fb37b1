package io.margay.app.site;

import io.margay.app.config.HostPlace;
import io.margay.app.config.HostSettings;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.regex.BoundedRegex;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.UndecidedException;
import io.margay.server.forwarded.NodeAddress;
import io.margay.server.host.VirtualHosts;
import io.margay.server.sight.Watched;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The hosts by the place at which a request arrives, then by name: those of the address and port,
/// else of the port, else of the address, else those of no place. Immutable.
final class HostPlaces {
    /// No hosts.
    static final HostPlaces NONE =
            new HostPlaces(Map.of(), new VirtualHosts(Map.of()), new IdentityHashMap<>());

    private final Map<HostPlace, VirtualHosts> places;
    private final VirtualHosts others;

    /// What serves each, by the identity of its settings.
    private final IdentityHashMap<HostSettings, ServedHost> served;

    private HostPlaces(
            Map<HostPlace, VirtualHosts> places,
            VirtualHosts others,
            IdentityHashMap<HostSettings, ServedHost> served) {
        this.served = served;
        this.places = Map.copyOf(places);
        this.others = others;
    }

    /// Collects hosts. Confined to one thread.
    static final class Builder {
        private final Map<HostPlace, Map<String, Handler>> places = new HashMap<>();
        private final Map<String, Handler> others = new LinkedHashMap<>();
        private final IdentityHashMap<HostSettings, ServedHost> served = new IdentityHashMap<>();

        /// Adds a host; for a name that is taken the first counts.
        void add(HostSettings host, ServedHost handler) {
            served.put(host, handler);
            List<String> names = host.names().isEmpty() ? List.of(VirtualHosts.ANY) : host.names();
            if (host.at().isEmpty()) {
                names.forEach(name -> others.putIfAbsent(name, handler));
            }
            for (HostPlace place : host.at()) {
                Map<String, Handler> here =
                        places.computeIfAbsent(place, _ -> new LinkedHashMap<>());
                names.forEach(name -> here.putIfAbsent(name, handler));
            }
        }

        HostPlaces build() {
            Map<HostPlace, VirtualHosts> tables = new HashMap<>();
            places.forEach((place, table) -> tables.put(place, hosts(table)));
            return new HostPlaces(tables, hosts(others), served);
        }

        private static VirtualHosts hosts(Map<String, Handler> table) {
            return new VirtualHosts(
                    table,
                    text -> {
                        BoundedRegex regex = BoundedRegex.of(text, true, RuleLimits.defaults());
                        return name -> takes(regex, name);
                    });
        }

        private static boolean takes(BoundedRegex regex, String name) {
            try {
                return regex.find(name) != null;
            } catch (UndecidedException e) {
                return false; // as where PCRE gives up
            }
        }
    }

    /// What serves the host with these settings, the same object; null when nothing does.
    @Nullable ServedHost served(HostSettings host) {
        return served.get(host);
    }

    /// What each host has answered, by its name; those that share a name are counted together.
    Map<String, HostTraffic.Counts> traffic() {
        Map<String, HostTraffic.Counts> all = new LinkedHashMap<>();
        for (ServedHost host : served.values()) {
            HostTraffic.Counts counted = host.traffic().counts();
            all.merge(counted.name(), counted, HostTraffic.Counts::with);
        }
        return all;
    }

    /// What counts requests; hosts that share a name may share some of it, which is there twice.
    List<Watched> watched() {
        List<Watched> all = new ArrayList<>(served.size());
        for (ServedHost host : served.values()) {
            host.traffic().counts().watched(all);
        }
        return all;
    }

    /// What answers a request; never null.
    Handler select(Exchange exchange) {
        return table(exchange).select(exchange);
    }

    /// The host of a request, or null.
    @Nullable Handler find(Exchange exchange) {
        return table(exchange).find(exchange);
    }

    /// The first host of a name, or null.
    @Nullable Handler find(String name) {
        Handler found = others.find(name);
        for (VirtualHosts table : places.values()) {
            found = found != null ? found : table.find(name);
        }
        return found;
    }

    private VirtualHosts table(Exchange exchange) {
        if (places.isEmpty() || !(exchange.local() instanceof InetSocketAddress local)) {
            return others;
        }
        String address = local.getAddress() == null ? "" : NodeAddress.text(local.getAddress());
        VirtualHosts found = places.get(new HostPlace(address, local.getPort()));
        found = found != null ? found : places.get(new HostPlace("*", local.getPort()));
        found = found != null ? found : places.get(new HostPlace(address, 0));
        return found != null ? found : others;
    }
}
