package io.margay.app.config.members;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.access.match.Network;
import io.margay.gateway.config.PeerScheme;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The keys of members that come and go.
public final class MemberSourceShape {
    /// What a member is, or where members are named: one of these is given.
    public static final List<String> PLACES =
            List.of("url", "file", "dns", "srv", "registered", "kubernetes", "etcd");

    private static final int DNS_PORT = 53;

    private MemberSourceShape() {}

    /// Where members are named that come and go. What is said beside them holds for each.
    public static List<Shape.Key> keys() {
        List<Shape.Key> keys = new ArrayList<>(dnsKeys());
        keys.add(
                optional(
                        "registered",
                        registered(),
                        "",
                        "In place of `url`: members that register with a token, as servers"
                                + " with `register` do."));
        keys.add(
                optional(
                        "kubernetes",
                        kubernetes(),
                        "",
                        "In place of `url`: the pods of a service of Kubernetes, which are"
                                + " watched."));
        keys.add(
                optional(
                        "etcd",
                        etcd(),
                        "",
                        "In place of `url`: keys of etcd, which are watched; each value is a line"
                                + " as in a `file`."));
        keys.addAll(timeKeys());
        return keys;
    }

    private static List<Shape.Key> dnsKeys() {
        return List.of(
                optional(
                        "file",
                        Shape.path(),
                        "",
                        "In place of `url`: a file with a line for each member, its URL and then"
                                + " name=, route=, weight= and the like. It is read again when it"
                                + " changes."),
                optional(
                        "dns",
                        text("a name of the DNS", MemberSourceShape::dnsName),
                        "",
                        "In place of `url`: a name whose addresses (A, AAAA) are members, all with"
                                + " `port`."),
                optional(
                        "srv",
                        text("a name of the DNS", MemberSourceShape::dnsName),
                        "",
                        "In place of `url`: a service, as in _http._tcp.app.internal, whose SRV"
                                + " records name members with ports, weights and priorities."),
                optional("port", whole(1, 65_535), "none, and needed with `dns`", "Their port."),
                optional(
                        "scheme",
                        choice(Arrays.stream(PeerScheme.values()).map(PeerScheme::word).toList()),
                        "http",
                        "With `dns`, `srv` and `kubernetes`: what they speak."),
                optional(
                        "family",
                        choice(List.of("any", "ipv4", "ipv6")),
                        "any",
                        "With `dns`, `srv` and `kubernetes`: which addresses are members."
                                + " With `kubernetes`, any = one for each pod, of IPv4 where it"
                                + " has both."),
                optional(
                        "resolvers",
                        new Items(
                                "addresses",
                                text(
                                        "an address, as in 10.0.0.2 or [::1]:53",
                                        MemberSourceShape::nameServer),
                                1,
                                true),
                        "those of the system",
                        "With `dns` and `srv`: servers that are asked."));
    }

    private static List<Shape.Key> timeKeys() {
        return List.of(
                optional(
                        "every",
                        duration(),
                        "1s with `file`, else the TTL of the answers",
                        "How often the source is looked at."),
                optional(
                        "drain",
                        duration(),
                        "0s",
                        "Of a source: how long a member that is not named any more gets the"
                                + " requests of its sessions."),
                optional(
                        "hold",
                        duration(),
                        "30s",
                        "With `dns` and `srv`: how long members stay when the name is said not to"
                                + " be there. Without an answer they stay for ever. With"
                                + " `registered`: how long they stay when the leases of all have"
                                + " ended; with `kubernetes` and `etcd`, when there are none."));
    }

    private static String dnsName(String text) {
        if (!text.matches("[A-Za-z0-9_.-]{1,253}")) {
            throw new IllegalArgumentException("");
        }
        return text;
    }

    /// The address of a name server, with a port or without; one of IPv6 that has a port is in
    /// brackets.
    public static InetSocketAddress nameServer(String text) {
        int bracket = text.lastIndexOf(']');
        int first = text.indexOf(':', Math.max(bracket, 0));
        int colon = bracket < 0 && first != text.lastIndexOf(':') ? -1 : first;
        String host = colon < 0 ? text : text.substring(0, colon);
        String port = colon < 0 ? Integer.toString(DNS_PORT) : text.substring(colon + 1);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        if (!port.matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException("");
        }
        return new InetSocketAddress(InetAddress.ofLiteral(host), Integer.parseInt(port));
    }

    private static Section registered() {
        return new Section(
                "how members register",
                List.of(
                        required(
                                "token-file",
                                Shape.path(),
                                "File with the token, 16 characters or more: who knows it may"
                                        + " register members here, and nothing else."),
                        optional(
                                "through",
                                text("a URL, as in redis://host:6379"),
                                "at `admin`, by HTTP",
                                "Valkey or Redis, where members register and each gateway looks;"
                                        + " written as `url` of `sessions`; `shared` is that of"
                                        + " `shared`. It needs `from`."),
                        optional(
                                "from",
                                new Items(
                                        "networks",
                                        text(
                                                "an address or network, as in 10.0.0.0/8",
                                                MemberSourceShape::network),
                                        1,
                                        true),
                                "the sender's own address",
                                "Networks whose addresses may be registered."),
                        optional(
                                "wait",
                                duration(),
                                "3500ms: a third of a lease of 10 s",
                                "How long a start that knows of no member waits for the first one"
                                        + " before the listeners open. Write a third of the lease"
                                        + " where that is longer.")),
                List.of());
    }

    private static Section kubernetes() {
        return new Section(
                "a service of Kubernetes",
                List.of(
                        required(
                                "service",
                                text("a name", MemberSourceShape::label),
                                "The service, whose EndpointSlices name the pods."),
                        optional(
                                "namespace",
                                text("a name", MemberSourceShape::label),
                                "that of this pod",
                                "Its namespace."),
                        optional(
                                "port",
                                text("a name or a number", MemberSourceShape::label),
                                "the only one",
                                "Port of the pods."),
                        optional(
                                "api",
                                text("a URL", MemberSourceShape::api),
                                "https://kubernetes.default.svc",
                                "The API server."),
                        optional(
                                "token-file",
                                Shape.path(),
                                "that of this pod's service account",
                                "Token of a service account that may list and watch"
                                        + " `endpointslices`; read again as it changes."),
                        optional(
                                "trust",
                                Shape.path(),
                                "`ca.crt` beside the token, if there is one",
                                "PEM file of the authorities of the API server.")),
                List.of());
    }

    private static Section etcd() {
        return new Section(
                "keys of etcd",
                List.of(
                        required(
                                "servers",
                                new Items(
                                        "servers", text("a URL", MemberSourceShape::api), 1, true),
                                "Client URLs of the cluster; the next is asked when one fails."),
                        required(
                                "prefix",
                                text("a text, as in /shop/"),
                                "What the keys begin with; what follows is the member's name."),
                        optional("user", text("a name"), "none", "A user who may read them."),
                        optional(
                                "password-file",
                                Shape.path(),
                                "none",
                                "File with the password of the user."),
                        optional(
                                "trust",
                                Shape.path(),
                                "the JDK's authorities",
                                "PEM file of the authorities of the servers.")),
                List.of());
    }

    private static String label(String text) {
        if (!text.matches("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")) {
            throw new IllegalArgumentException("");
        }
        return text;
    }

    private static URI api(String text) {
        URI uri = URI.create(text);
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!http || uri.getHost() == null || uri.getQuery() != null || uri.getUserInfo() != null) {
            throw new IllegalArgumentException("");
        }
        return uri;
    }

    private static String network(String text) {
        if (Network.parse(text).isEmpty()) {
            throw new IllegalArgumentException("");
        }
        return text;
    }
}
