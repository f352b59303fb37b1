package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.gateway.plan.ListenerPlan;
import io.margay.transport.ClientCertificates;
import io.margay.transport.ClientCertificates.CrlCheck;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfig.Certificate;
import io.margay.transport.TlsConfig.ClientAuth;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Where servers listen. Confined to one reading.
final class Listens {
    private static final Set<String> NOTED =
            Set.of(
                    "setfib",
                    "fastopen",
                    "backlog",
                    "rcvbuf",
                    "sndbuf",
                    "accept_filter",
                    "deferred",
                    "bind",
                    "ipv6only",
                    "reuseport",
                    "so_keepalive",
                    "multipath");

    private final Reading reading;
    private final Map<Place, List<Listen>> places = new LinkedHashMap<>();

    private static final Set<String> NOT_BESIDE_QUIC = Set.of("ssl", "http2", "proxy_protocol");

    /// Where HTTP/3 is spoken, and by which lines.
    private final Map<Place, List<Listen>> quic = new LinkedHashMap<>();

    /// An address and port; `*` for every IPv4 address, `::` for every IPv6 address.
    record Place(String host, int port) {
        boolean isAny() {
            return host.equals("*") || host.equals("::");
        }
    }

    /// A `listen` of a server.
    record Listen(Scope server, NginxNode node, boolean isDefault, boolean tls, boolean http2) {}

    Listens(Reading reading) {
        this.reading = reading;
    }

    /// Takes the lines of a server; port 80 where it has none.
    void add(Scope server) {
        List<NginxNode> nodes = server.own("listen");
        for (NginxNode node : nodes) {
            Place place = isQuic(node) ? null : place(node);
            if (place != null) {
                add(places, place, listen(server, node, false));
            }
        }
        nodes.stream().filter(Listens::isQuic).forEach(node -> addQuic(server, node));
        NginxNode own = server.node();
        if (nodes.isEmpty() && own != null) {
            places.computeIfAbsent(new Place("*", 80), _ -> new ArrayList<>())
                    .add(new Listen(server, own, false, false, false));
        }
    }

    private static boolean isQuic(NginxNode node) {
        return node.words().stream().skip(1).anyMatch("quic"::equalsIgnoreCase);
    }

    /// A server has HTTP/3 at the port of UDP whose TCP speaks TLS.
    private void addQuic(Scope server, NginxNode node) {
        Place place = place(node);
        if (place == null) {
            return;
        }
        if (!server.isOn("http3", true)) {
            reading.changed(node, "http3 is off, and nothing else is spoken by QUIC");
            return;
        }
        Listen listen = listen(server, node, true);
        add(quic, place, listen);
        Listen tcp =
                places.getOrDefault(place, List.of()).stream()
                        .filter(one -> one.server.equals(server))
                        .findFirst()
                        .orElse(null);
        if (tcp == null) {
            reading.changed(node, "HTTP/1.1 over TLS is spoken at the same port of TCP, too");
            places.computeIfAbsent(place, _ -> new ArrayList<>()).add(listen);
        } else if (!tcp.tls) {
            reading.wrong(node, "HTTP/3 needs ssl at the same port of TCP");
        } else if (server.nearest("add_header").stream()
                .noneMatch(field -> field.word(0).equalsIgnoreCase("Alt-Svc"))) {
            reading.noted(node, "clients are told by Alt-Svc");
        }
    }

    private void add(Map<Place, List<Listen>> all, Place place, Listen listen) {
        List<Listen> here = all.computeIfAbsent(place, _ -> new ArrayList<>());
        NginxNode node = listen.node;
        boolean udp = isQuic(node);
        if (listen.isDefault
                && here.stream().anyMatch(one -> one.isDefault && isQuic(one.node) == udp)) {
            reading.wrong(node, "a duplicate default server for " + node.word(0));
        } else if (here.stream().anyMatch(one -> one.server.equals(listen.server))) {
            reading.wrong(node, "a duplicate listen " + node.word(0));
        } else {
            here.add(listen);
        }
    }

    /// What the words of a line say.
    private Listen listen(Scope server, NginxNode node, boolean secure) {
        boolean isDefault = false;
        boolean tls = secure;
        boolean http2 = server.isOn("http2", false);
        boolean udp = isQuic(node);
        for (String word : node.words().subList(1, node.words().size())) {
            String name = word.replaceFirst("=.*", "").toLowerCase(Locale.ROOT);
            if (udp && NOT_BESIDE_QUIC.contains(name)) {
                reading.wrong(node, "\"" + name + "\" is incompatible with \"quic\"");
            }
            switch (name) {
                case "default_server", "default" -> isDefault = true;
                case "ssl" -> tls = true;
                case "http2" -> http2 = true;
                case "quic" -> {} // addQuic
                case "proxy_protocol" -> reading.wrong(node, "proxy_protocol is not translated");
                default -> {
                    if (!NOTED.contains(name)) {
                        reading.wrong(node, "invalid parameter \"" + word + "\"");
                    }
                }
            }
        }
        return new Listen(server, node, isDefault, tls, http2);
    }

    private @Nullable Place place(NginxNode node) {
        String text = node.word(0);
        if (text.startsWith("unix:")) {
            reading.changed(node, "nothing listens at the socket");
            return null;
        }
        if (text.matches("[0-9]{1,5}")) {
            return at(node, "*", text);
        }
        int colon = text.lastIndexOf(':');
        boolean port = colon > text.lastIndexOf(']') && colon >= 0;
        String host = port ? text.substring(0, colon) : text;
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        if (host.equals("0.0.0.0")) {
            host = "*";
        }
        return at(node, host, port ? text.substring(colon + 1) : "80");
    }

    private @Nullable Place at(NginxNode node, String host, String port) {
        int number = port.matches("[0-9]{1,5}") ? Integer.parseInt(port) : 0;
        if (number < 1 || number > 65_535 || host.isEmpty()) {
            reading.wrong(
                    node, "invalid port in \"" + node.word(0) + "\" of the \"listen\" directive");
            return null;
        }
        return new Place(host, number);
    }

    /// The servers at each place, the default one first.
    Map<Place, List<Listen>> servers() {
        Map<Place, List<Listen>> sorted = new LinkedHashMap<>();
        places.forEach((place, all) -> {
            List<Listen> here = new ArrayList<>(all);
            Listen first = first(all);
            here.remove(first);
            here.addFirst(first);
            sorted.put(place, here);
        });
        return sorted;
    }

    /// The default server, which is one of TCP where there is any.
    private static Listen first(List<Listen> here) {
        Comparator<Listen> order = Comparator.comparing(one -> isQuic(one.node));
        return here.stream().min(order.thenComparing(one -> !one.isDefault)).orElseThrow();
    }

    /// The servers at a place, in the order of the files.
    List<Listen> inOrder(Place place) {
        return places.getOrDefault(place, List.of());
    }

    /// Where the process listens.
    List<ListenerPlan> listeners() {
        Map<Integer, List<Place>> byPort = new LinkedHashMap<>();
        Map<Place, List<Listen>> servers = servers();
        servers.keySet()
                .forEach(one -> byPort.computeIfAbsent(one.port, _ -> new ArrayList<>()).add(one));
        quic.forEach((place, all) -> {
            Listen udp = first(all);
            Listen tcp = Objects.requireNonNull(servers.get(place)).getFirst();
            if (!udp.server.equals(tcp.server)) {
                reading.changed(udp.node, "the default server is that of the same port of TCP");
            }
        });
        List<ListenerPlan> plans = new ArrayList<>();
        byPort.forEach((port, all) -> {
            List<Place> any = all.stream().filter(Place::isAny).toList();
            if (any.size() > 1) {
                compare(
                        Objects.requireNonNull(servers.get(any.getFirst())),
                        Objects.requireNonNull(servers.get(any.getLast())));
            }
            // One that is for every address takes the others with it, as in nginx.
            for (Place place : any.isEmpty() ? all : List.of(any.getFirst())) {
                List<Listen> here = new ArrayList<>();
                (any.isEmpty() ? List.of(place) : all).forEach(p -> here.addAll(servers.get(p)));
                String host =
                        any.size() > 1 ? "*" : place.host.equals("*") ? "0.0.0.0" : place.host;
                boolean http3 =
                        (any.isEmpty() ? List.of(place) : all).stream().anyMatch(quic::containsKey);
                plans.add(listener(host, port, here, http3));
            }
        });
        return plans;
    }

    /// Clients of IPv4 and of IPv6 come to the same servers here.
    private void compare(List<Listen> one, List<Listen> other) {
        if (!one.getFirst().server.equals(other.getFirst().server)) {
            reading.wrong(
                    other.getFirst().node,
                    "another server is the default one by IPv6 than by IPv4, which is not"
                            + " translated: give both the same listen lines");
            return;
        }
        tellAlone(one, other);
        tellAlone(other, one);
    }

    private void tellAlone(List<Listen> some, List<Listen> others) {
        for (Listen one : some) {
            if (others.stream().anyMatch(other -> other.server.equals(one.server))) {
                continue;
            }
            if (others.stream().anyMatch(other -> isNamesake(one.server, other.server))) {
                reading.wrong(
                        one.node,
                        "another server has the same name by IPv6 than by IPv4, which is not"
                                + " translated: give both the same listen lines");
            } else {
                reading.changed(
                        one.node,
                        "its server is reached by IPv4 and by IPv6, as others at this port are");
            }
        }
    }

    private static boolean isNamesake(Scope one, Scope other) {
        return names(one).anyMatch(name -> names(other).anyMatch(name::equals));
    }

    private static Stream<String> names(Scope server) {
        return server.own("server_name").stream()
                .flatMap(node -> node.words().stream())
                .map(name -> name.toLowerCase(Locale.ROOT))
                .filter(name -> !name.isEmpty() && !name.equals("_"))
                // As ServerReader has them.
                .flatMap(name ->
                        name.startsWith(".")
                                ? Stream.of(name.substring(1), "*" + name)
                                : Stream.of(name));
    }

    private ListenerPlan listener(String host, int port, List<Listen> here, boolean http3) {
        boolean tls = here.stream().anyMatch(Listen::tls);
        boolean http2 = here.stream().anyMatch(Listen::http2);
        if (tls && here.stream().anyMatch(one -> !one.tls)) {
            Listen plain = here.stream().filter(one -> !one.tls).findFirst().orElseThrow();
            reading.changed(plain.node, "speaks TLS, too, as others at this port do");
        }
        if (http3) {
            here.stream()
                    .filter(one -> one.server.own("listen").stream().noneMatch(Listens::isQuic))
                    .forEach(one ->
                            reading.changed(
                                    one.node, "speaks HTTP/3, too, as others at this port do"));
        }
        TlsConfig made = tls ? tls(here) : null;
        return new ListenerPlan(host, port, made, http2, http3 && made != null, null);
    }

    private @Nullable TlsConfig tls(List<Listen> here) {
        List<Certificate> certificates = new ArrayList<>();
        Set<List<String>> protocols = new java.util.LinkedHashSet<>();
        for (Listen one : here) {
            List<NginxNode> certs = one.server.nearest("ssl_certificate");
            List<NginxNode> keys = one.server.nearest("ssl_certificate_key");
            if (certs.isEmpty() || certs.size() != keys.size()) {
                reading.wrong(
                        one.node,
                        "no \"ssl_certificate\" is defined for the \"listen ... ssl\" directive");
                continue;
            }
            for (int i = 0; i < certs.size(); i++) {
                if (Variables.isIn(certs.get(i).word(0)) || certs.get(i).word(0).contains(":")) {
                    reading.wrong(certs.get(i), "is translated as the name of a file only");
                    continue;
                }
                Certificate made =
                        new Certificate(
                                reading.file(certs.get(i).word(0)),
                                reading.file(keys.get(i).word(0)));
                if (!certificates.contains(made)) {
                    certificates.add(made);
                }
            }
            protocols.add(protocols(one.server));
        }
        if (certificates.isEmpty()) {
            return null;
        }
        if (protocols.size() > 1) {
            reading.wrong(here.getFirst().node, "servers at one port have different ssl_protocols");
        }
        return TlsConfig.of(certificates)
                .withProtocols(protocols.iterator().next())
                .withClients(new Clients(reading).of(here.stream().map(Listen::server).toList()));
    }

    private List<String> protocols(Scope server) {
        NginxNode node = server.last("ssl_protocols");
        if (node == null) {
            return List.of("TLSv1.3", "TLSv1.2");
        }
        List<String> known =
                List.of("TLSv1.3", "TLSv1.2").stream().filter(node.words()::contains).toList();
        if (node.words().stream().anyMatch(word -> !known.contains(word)) && !node.isTold()) {
            reading.noted(node, "TLS 1.2 and 1.3 alone are spoken");
        }
        return known.isEmpty() ? List.of("TLSv1.3", "TLSv1.2") : known;
    }

    /// Which certificates are asked of clients: `ssl_verify_client` and its like. A listener asks
    /// for them, and who has shown none is refused by the rules of the servers that want one.
    /// Confined to one reading.
    static final class Clients {
        private static final String DEPTH_DEFAULT = "1";

        private final Reading reading;

        Clients(Reading reading) {
            this.reading = reading;
        }

        /// Whether clients of a server that come by TLS must show a certificate.
        static boolean isNeeded(Scope server) {
            return server.word("ssl_verify_client", "off").equals("on");
        }

        /// What a listener asks of clients.
        ///
        /// @param servers that are served there
        ClientCertificates of(List<Scope> servers) {
            ClientCertificates all = ClientCertificates.NONE;
            for (Scope server : servers) {
                NginxNode verify = server.last("ssl_verify_client");
                ClientCertificates own =
                        verify == null || verify.word(0).equals("off")
                                ? null
                                : read(server, verify);
                if (own == null || verify == null) {
                    continue;
                }
                if (all.auth() != ClientAuth.NONE && !all.equals(own)) {
                    reading.wrong(verify, "servers at one port ask for certificates of others");
                }
                all = own;
            }
            return all;
        }

        private @Nullable ClientCertificates read(Scope server, NginxNode verify) {
            String word = verify.word(0);
            if (!word.equals("on") && !word.equals("optional")) {
                reading.wrong(verify, "\"" + word + "\" is not translated");
                return null;
            }
            NginxNode trust = server.last("ssl_client_certificate");
            if (trust == null) {
                reading.wrong(verify, "no ssl_client_certificate for ssl_verify_client");
                return null;
            }
            NginxNode depth = server.last("ssl_verify_depth");
            String limit = depth == null ? DEPTH_DEFAULT : depth.word(0);
            if (!limit.matches("[0-9]{1,2}")) {
                reading.wrong(depth == null ? verify : depth, "invalid number \"" + limit + "\"");
                return null;
            }
            // OpenSSL has counted the authority itself at times: the stricter of both.
            reading.changed(
                    verify,
                    "allows one authority less between a client's and a trusted one than"
                            + " ssl_verify_depth says");
            int between = Math.max(0, Integer.parseInt(limit) - 1);
            NginxNode revoked = server.last("ssl_crl");
            List<Path> lists = revoked == null ? List.of() : List.of(reading.file(revoked.word(0)));
            return new ClientCertificates(
                    ClientAuth.WANT,
                    List.of(reading.file(trust.word(0))),
                    List.of(),
                    lists,
                    CrlCheck.CHAIN,
                    between);
        }
    }
}
