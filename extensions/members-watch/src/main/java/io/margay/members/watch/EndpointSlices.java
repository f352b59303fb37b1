package io.margay.members.watch;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.MemberSource.Family;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The EndpointSlices of one service (`discovery.k8s.io/v1`), by their names, and the members that
/// they make together. Used by one thread.
///
/// A pod that is ready is a member; one that ends, and still serves, gets the requests of its
/// sessions; any other is none. Where a pod has an address of each kind and either will do, it is
/// one member, with that of IPv4.
final class EndpointSlices {
    private final MemberSource source;
    private final MemberSource.Kubernetes service;
    private final int endpointsMax;
    private final Map<String, Slice> slices = new HashMap<>();
    private int endpoints;

    /// What is kept of a slice: nothing that members are not made of.
    private record Slice(Family family, List<Port> ports, List<Endpoint> endpoints) {}

    private record Port(String name, int number) {}

    /// @param pod its name; empty = it is not known
    private record Endpoint(String pod, String address, String host, boolean ready) {}

    /// @param endpointsMax all that are kept; what goes beyond that is too much to be believed
    EndpointSlices(MemberSource source, MemberSource.Kubernetes service, int endpointsMax) {
        this.source = source;
        this.service = service;
        this.endpointsMax = endpointsMax;
    }

    void clear() {
        slices.clear();
        endpoints = 0;
    }

    /// Takes over a slice as it is now.
    ///
    /// @throws IOException when there are too many endpoints
    void put(Map<String, Object> object) throws IOException {
        remove(object);
        Slice slice = slice(object);
        endpoints += slice.endpoints.size();
        if (endpoints > endpointsMax || slices.size() >= endpointsMax) {
            throw new IOException("it names more than " + endpointsMax + " endpoints");
        }
        slices.put(name(object), slice);
    }

    void remove(Map<String, Object> object) {
        Slice before = slices.remove(name(object));
        endpoints -= before == null ? 0 : before.endpoints.size();
    }

    private static String name(Map<String, Object> object) {
        return Api.text(Api.section(object, "metadata"), "name");
    }

    private static Slice slice(Map<String, Object> object) {
        Family family =
                switch (Api.text(object, "addressType")) {
                    case "IPv4" -> Family.IPV4;
                    case "IPv6" -> Family.IPV6;
                    default -> Family.ANY; // Names, which are of no use here.
                };
        List<Port> ports = new ArrayList<>();
        for (Map<String, Object> each : Api.list(object, "ports")) {
            if (each.get("port") instanceof Number number && !"UDP".equals(each.get("protocol"))) {
                ports.add(new Port(Api.text(each, "name"), number.intValue()));
            }
        }
        List<Endpoint> endpoints = new ArrayList<>();
        for (Map<String, Object> each : Api.list(object, "endpoints")) {
            Map<String, Object> conditions = Api.section(each, "conditions");
            boolean ready = !Boolean.FALSE.equals(conditions.get("ready"));
            boolean ends =
                    Boolean.TRUE.equals(conditions.get("serving"))
                            && Boolean.TRUE.equals(conditions.get("terminating"));
            if ((ready || ends)
                    && each.get("addresses") instanceof List<?> all
                    && !all.isEmpty()
                    && all.getFirst() instanceof String address) {
                String pod = Api.text(Api.section(each, "targetRef"), "name");
                endpoints.add(new Endpoint(pod, address, Api.text(each, "hostname"), ready));
            }
        }
        return new Slice(family, ports, endpoints);
    }

    /// The members of all slices.
    ///
    /// @throws IOException when it is not clear which port is meant
    List<PeerConfig> members() throws IOException {
        Map<String, PeerConfig> members = new TreeMap<>();
        for (Family family : new Family[] {Family.IPV4, Family.IPV6}) {
            if (service.family() != Family.ANY && service.family() != family) {
                continue;
            }
            Map<String, PeerConfig> found = new TreeMap<>();
            for (Slice slice : slices.values()) {
                if (slice.family == family && !slice.endpoints.isEmpty()) {
                    add(slice, found);
                }
            }
            found.forEach(members::putIfAbsent);
        }
        return List.copyOf(members.values());
    }

    private void add(Slice slice, Map<String, PeerConfig> found) throws IOException {
        int port = port(slice);
        if (port == 0) {
            return; // The port has this name for pods of other slices.
        }
        for (Endpoint each : slice.endpoints) {
            PeerConfig member = member(each, port);
            // A pod may stand in two slices for a while: one of them may know it better.
            found.merge(member.name(), member, (one, other) -> isActive(one) ? one : other);
        }
    }

    private static boolean isActive(PeerConfig member) {
        return member.share().activation() != Activation.DISABLED;
    }

    /// @return 0 = it has no port of the name
    private int port(Slice slice) throws IOException {
        String wanted = service.port();
        if (wanted.isEmpty()) {
            if (slice.ports.size() != 1) {
                throw new IOException(
                        "it has " + slice.ports.size() + " ports: \"port\" must say which");
            }
            return slice.ports.getFirst().number;
        }
        if (wanted.matches("[0-9]{1,5}")) {
            return Integer.parseInt(wanted);
        }
        for (Port each : slice.ports) {
            if (each.name.equals(wanted)) {
                return each.number;
            }
        }
        return 0;
    }

    private PeerConfig member(Endpoint one, int port) {
        PeerAddress at = PeerAddress.of(source.pattern().address().scheme(), one.address, port);
        String name = one.pod.isEmpty() ? at.toString() : one.pod;
        String own = one.host.isEmpty() ? one.pod : one.host;
        PeerConfig.Share share = source.pattern().share();
        PeerConfig.Share mine = share.withRoutes(own, share.domain(), share.redirect());
        return source.member(
                name, at, "", one.ready ? mine : mine.withActivation(Activation.DISABLED));
    }
}
