package io.margay.compat.httpd.tls;

import io.margay.compat.account.Account;
import io.margay.compat.account.Place;
import io.margay.gateway.plan.ListenerPlan;
import io.margay.transport.ClientCertificates;
import io.margay.transport.ClientCertificates.CrlCheck;
import io.margay.transport.ClientCertificates.OcspCheck;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfig.Certificate;
import io.margay.transport.TlsConfig.ClientAuth;
import io.margay.transport.TlsConfig.Named;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How the listeners speak TLS: each virtual host of a place by its own directives, the first of
/// them for clients that name no host, as in httpd. Confined to one reading.
public final class TlsListeners {
    /// What httpd takes where nothing is said: certificates that an authority itself has signed.
    private static final int DEPTH_DEFAULT = 1;

    private final List<TlsHost> hosts;
    private final TlsHost main;
    private final Account account;
    private final Map<TlsHost, HttpdTls> merged = new HashMap<>();
    private final Map<TlsHost, ClientCertificates> clients = new HashMap<>();

    /// @param main what stands outside of all virtual hosts
    /// @param virtual the virtual hosts in the order of the files
    public TlsListeners(TlsHost main, List<TlsHost> virtual, Account account) {
        this.main = main;
        this.account = account;
        hosts = new ArrayList<>(List.of(main));
        hosts.addAll(virtual);
        merged.put(main, main.tls());
        virtual.forEach(host -> merged.put(host, host.tls().within(main.tls())));
    }

    private HttpdTls tls(TlsHost server) {
        HttpdTls found = merged.get(server);
        if (found == null) {
            throw new IllegalStateException("not read: " + server.place());
        }
        return found;
    }

    /// How a listener speaks TLS, or null where it does not.
    ///
    /// @param https whether its line says so
    /// @param place of its line
    public @Nullable TlsConfig of(ListenerPlan plan, boolean https, Place place) {
        Map<String, List<TlsHost>> places = places(plan.host(), plan.port());
        List<TlsHost> all = places.values().stream().flatMap(List::stream).distinct().toList();
        if (all.isEmpty()) {
            if (https) {
                account.wrong(
                        place,
                        "Listen",
                        "https needs a VirtualHost *:" + plan.port() + " with SSLEngine on");
            }
            return null;
        }
        List<Certificate> certificates = certificates(all);
        if (certificates.isEmpty()) {
            withoutCertificate(all.getFirst());
            return null;
        }
        TlsConfig first = config(all.getFirst(), certificates);
        for (TlsHost one : all) {
            if (Boolean.TRUE.equals(tls(one).stapling)) {
                first = first.withStapling(tls(one).stapling());
            }
        }
        TlsConfig.Requirements common = first.requirements();
        if (all.stream().allMatch(one -> config(one, certificates).requirements().equals(common))) {
            return first; // certificates are chosen by the names that they are for
        }
        if (places.size() > 1) {
            account.wrong(
                    place,
                    "Listen",
                    "hosts at several addresses of this port have different TLS settings: give each"
                            + " address its own Listen");
            return null;
        }
        return byName(all);
    }

    private @Nullable TlsConfig byName(List<TlsHost> servers) {
        List<Named> named = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (TlsHost server : servers) {
            if (tls(server).pairs().isEmpty()) {
                withoutCertificate(server);
                return null;
            }
            List<String> names = TlsHost.take(taken, server.names());
            if (!names.isEmpty()) {
                named.add(new Named(names, config(server, tls(server).pairs())));
            }
        }
        TlsHost first = servers.getFirst();
        return config(first, tls(first).pairs()).withNamed(named);
    }

    private void withoutCertificate(TlsHost server) {
        account.wrong(server.place(), "SSLEngine", "needs SSLCertificateFile FILE");
    }

    private List<Certificate> certificates(List<TlsHost> servers) {
        return servers.stream().flatMap(one -> tls(one).pairs().stream()).distinct().toList();
    }

    /// The servers that speak TLS at a listener, by the place where they are found, in the order of
    /// the files: of several kinds of places that fit an address the most exact one counts.
    private Map<String, List<TlsHost>> places(String host, int port) {
        Map<String, List<TlsHost>> found = new LinkedHashMap<>();
        for (TlsHost server : hosts) {
            for (String address : server.addresses()) {
                if (tls(server).isOn() && fits(address, host, port)) {
                    found.computeIfAbsent(address, _ -> new ArrayList<>()).add(server);
                }
            }
        }
        if (!host.equals("*")) {
            String own = host.indexOf(':') < 0 ? host : "[" + host + "]";
            for (String place : List.of(own + ":" + port, "*:" + port, own, "*")) {
                List<TlsHost> here = found.get(place);
                if (here != null) {
                    return Map.of(place, here);
                }
            }
        }
        if (found.isEmpty() && tls(main).isOn()) {
            return Map.of("", List.of(main));
        }
        return found;
    }

    private static boolean fits(String address, String host, int port) {
        int colon = address.lastIndexOf(':');
        boolean hasPort = colon > address.lastIndexOf(']');
        String place = hasPort ? address.substring(0, colon) : address;
        String own = place.replaceAll("[\\[\\]]", "");
        return (!hasPort || address.endsWith(":" + port))
                && (own.equals("*") || host.equals("*") || own.equals(host));
    }

    private TlsConfig config(TlsHost server, List<Certificate> certificates) {
        TlsConfig config =
                TlsConfig.of(certificates)
                        .withStapling(tls(server).stapling())
                        .withClients(clients.computeIfAbsent(server, this::readClients));
        List<String> protocols = tls(server).protocols;
        return protocols == null ? config : config.withProtocols(protocols);
    }

    private ClientCertificates readClients(TlsHost server) {
        HttpdTls tls = tls(server);
        if (!tls.asksForCertificate()) {
            return ClientCertificates.NONE;
        }
        List<Path> trust = HttpdTls.paths(tls.trustFile, tls.trustFolder);
        List<Path> crls = HttpdTls.paths(tls.crlFile, tls.crlFolder);
        if (trust.isEmpty()) {
            account.wrong(server.place(), "SSLVerifyClient", "needs SSLCACertificateFile FILE");
            return ClientCertificates.NONE;
        }
        CrlCheck lists = tls.lists();
        CrlCheck responders = tls.responders();
        if (lists != null && crls.isEmpty()) {
            account.wrong(server.place(), "SSLCARevocationCheck", "needs SSLCARevocationFile FILE");
        }
        int depth = tls.depth == null ? DEPTH_DEFAULT : tls.depth;
        ClientCertificates read =
                new ClientCertificates(
                        "require".equals(tls.verify) ? ClientAuth.NEED : ClientAuth.WANT,
                        trust,
                        HttpdTls.paths(tls.namesFile, tls.namesFolder),
                        List.of(),
                        CrlCheck.CHAIN,
                        Math.min(depth - 1, ClientCertificates.DEPTH_LIMIT));
        // Both look at the same certificates here: at those of which either is asked there.
        boolean leaf = lists != CrlCheck.CHAIN && responders != CrlCheck.CHAIN;
        if (lists != null || responders != null) {
            CrlCheck check = leaf ? CrlCheck.LEAF : CrlCheck.CHAIN;
            read = read.withCrls(lists == null ? List.of() : crls, check);
        }
        return responders == null ? read : read.withOcsp(OcspCheck.ALL);
    }

    /// Finds hosts that ask for certificates where no `Listen` says at which port: they would be
    /// served without TLS.
    public void withoutListen() {
        for (TlsHost server : hosts) {
            if (tls(server).isOn() && tls(server).asksForCertificate()) {
                account.wrong(
                        server.place(),
                        "SSLVerifyClient",
                        "needs a Listen for its port: without one there is no TLS");
            }
        }
    }
}
