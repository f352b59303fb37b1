package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.config.members.MemberSourceShape;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Named;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.PeerUrl;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.proxy.TlsAttribute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The keys below `upstreams`, and those of a route that leads to one.
final class UpstreamShape {
    private static final int COUNT_MAX = 1_000_000;

    /// Keys of routes to an upstream, but for the one that names it.
    static final List<String> OF_ROUTES =
            routeKeys().stream()
                    .map(Shape.Key::name)
                    .filter(name -> !name.equals("gateway"))
                    .toList();

    /// Keys of routes that belong to some kinds of them.
    static final Set<String> OF_SOME_ROUTES =
            Stream.of(OF_ROUTES, StatusShape.OWN, List.of("dot-files", "index", "fallback"))
                    .flatMap(List::stream)
                    .collect(Collectors.toUnmodifiableSet());

    private UpstreamShape() {}

    static Shape.Scalar name() {
        return text("a name of letters, digits, \"-\", \"_\" and \".\"", UpstreamShape::name);
    }

    private static String name(String text) {
        if (!text.matches("[A-Za-z0-9_.-]+")) {
            throw new IllegalArgumentException("");
        }
        return text;
    }

    static Section upstream() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(
                required(
                        "members",
                        new Items("members", member(), 1, true),
                        "Its peers, or where they are named."));
        keys.add(
                optional(
                        "balance",
                        choice(BalanceMethod.words()),
                        "requests",
                        "How the peer of a request is chosen (load balancing)."));
        keys.add(
                optional(
                        "sticky",
                        text("the name of a cookie, or none"),
                        "JSESSIONID",
                        "Cookie, and path parameter of the same name in lower case, whose suffix"
                                + " after the last \".\" is the route of a session's peer."));
        keys.addAll(stickyKeys());
        keys.add(
                optional(
                        "sticky-force",
                        flag(),
                        "false",
                        "Whether requests of a session fail rather than go to another peer."));
        keys.addAll(attemptKeys());
        keys.add(
                optional(
                        "error-escalation",
                        duration(),
                        "30s",
                        "How long errors of a peer with requests in flight keep it out of error"
                                + " state."));
        keys.add(
                optional(
                        "late-replies-max",
                        whole(0, COUNT_MAX),
                        "0",
                        "Late answers that are forgiven before a peer is in error."));
        keys.add(
                optional(
                        "force-recovery",
                        flag(),
                        "true",
                        "Whether peers in error are tried when no other is left."));
        keys.add(
                optional(
                        "maintain",
                        duration(),
                        "60s",
                        "Pause between rounds of maintenance, in which counters age."));
        keys.add(
                optional(
                        "health",
                        health(),
                        "none",
                        "Health checks, made without a client's request."));
        keys.addAll(peerKeys("Of each member that does not say otherwise: "));
        return new Section("an upstream", keys, List.of());
    }

    /// How often a request is offered, and how long it waits.
    private static List<Shape.Key> attemptKeys() {
        UpstreamConfig.Retries retries = UpstreamConfig.Retries.defaults();
        return List.of(
                optional(
                        "attempts",
                        whole(0, COUNT_MAX),
                        "0",
                        "Peers that a request is offered at most; 0 = each of them once."),
                optional(
                        "sent-attempts",
                        whole(0, COUNT_MAX),
                        String.valueOf(retries.sentMax()),
                        "How often a request is tried at most that was sent, so that a peer may"
                                + " have worked on it; 0 = as `attempts` says."),
                optional(
                        "retry-percent",
                        whole(0, 100),
                        String.valueOf(retries.percent()),
                        "Retries for each hundred requests of the last ten seconds, at most; 100 ="
                                + " any number."),
                optional(
                        "retry-floor",
                        whole(0, COUNT_MAX),
                        String.valueOf(retries.floor()),
                        "Retries in ten seconds that there may always be."),
                optional(
                        "rounds",
                        whole(1, 1000),
                        "1",
                        "How often they are gone through when none takes a request, with"
                                + " `retry-interval` between."),
                optional(
                        "patience",
                        duration(),
                        "0s",
                        "How long a request waits for a peer when none can take it."));
    }

    private static List<Shape.Key> stickyKeys() {
        return List.of(
                optional(
                        "dialect",
                        choice(BalanceDialect.words()),
                        BalanceDialect.MARGAY.word(),
                        "Whose definition of balancing and recovery holds where the two differ."),
                optional(
                        "sticky-parameter",
                        text("a name, or nothing", text -> text),
                        "the cookie's, in lower case",
                        "Name of the path parameter, where it is another."),
                optional(
                        "sticky-separator",
                        text("a character, or several"),
                        ".",
                        "What stands between a session's id and its route."),
                optional(
                        "sticky-in-query",
                        flag(),
                        "false",
                        "Whether the parameter is looked for in the query, too."),
                optional(
                        "sticky-set-cookie",
                        text("a name"),
                        "none",
                        "A cookie that the gateway itself sets, to keep a client with a peer."),
                optional("sticky-set-cookie-path", text("a path"), "/", "Its path."));
    }

    private static Shape.Scalar weight() {
        return new Shape.Scalar(
                "a number above 0, such as 1 or 1.5",
                Map.of("type", List.of("number", "string")),
                List.of(),
                text -> {
                    if (!text.matches("[0-9]{1,7}([.][0-9]{1,6})?") || text.matches("[0.]+")) {
                        throw new IllegalArgumentException("");
                    }
                    return Double.valueOf(text);
                });
    }

    private static Section member() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(
                optional(
                        "url",
                        text(
                                "a URL, as in http://10.0.0.5:8080, https://, h2://, h2c://,"
                                        + " ajp://10.0.0.5:8009, fcgi://,"
                                        + " http+unix:/run/app.sock",
                                PeerUrl::parse),
                        "",
                        "Where it listens and what it speaks; a path is put before each"
                                + " request's."));
        keys.add(
                optional(
                        "name",
                        text("a name"),
                        "the route, with `dialect: mod_proxy` the url",
                        "Its name on status pages, in logs and metrics."));
        keys.add(
                optional(
                        "route",
                        text("a name, or nothing", text -> text),
                        "the name",
                        "Suffix of the session identifiers that it makes (jvmRoute)."));
        keys.add(
                optional(
                        "weight",
                        weight(),
                        "1",
                        "Its weight: the share of the requests that it gets."));
        keys.add(optional("distance", whole(0, 1000), "0", "The smallest is used first."));
        keys.add(optional("domain", text("a name"), "none", "Peers that share sessions."));
        keys.add(
                optional(
                        "redirect",
                        text("a name"),
                        "none",
                        "Route to which its sessions go when it is in error."));
        keys.add(
                optional(
                        "activation",
                        choice(List.of("active", "disabled", "stopped")),
                        "active",
                        "disabled: only requests of its sessions; stopped: none."));
        keys.add(optional("standby", flag(), "false", "Used only when no other member is left."));
        keys.add(optional("spare", flag(), "false", "Used in place of a member that is missing."));
        keys.add(optional("ignore-errors", flag(), "false", "Whether it is never put into error."));
        keys.add(
                optional(
                        "busy-max",
                        whole(0, COUNT_MAX),
                        "0",
                        "Maximum number of requests in flight; 0 = no limit."));
        keys.add(
                optional(
                        "root",
                        text("an absolute path"),
                        "none",
                        "Of a FastCGI peer: folder of its scripts, as it sees it."));
        keys.addAll(MemberSourceShape.keys());
        keys.addAll(peerKeys(""));
        return new Section("a member", keys, MemberSourceShape.PLACES);
    }

    /// What may be said of one member, or of all.
    private static List<Shape.Key> peerKeys(String before) {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(
                optional(
                        "connections-max",
                        whole(0, COUNT_MAX),
                        "0",
                        before + "open connections at most; 0 = no limit."));
        keys.add(
                optional(
                        "connections-min",
                        whole(0, COUNT_MAX),
                        "0",
                        before + "connections that are kept however long they idle."));
        keys.add(
                optional(
                        "idle-timeout",
                        duration(),
                        "60s",
                        before + "how long an unused connection is kept; 0s = for ever."));
        keys.add(
                optional(
                        "lifetime",
                        duration(),
                        "0s",
                        before + "how long a connection is used in all; 0s = for ever."));
        keys.add(
                optional(
                        "acquire-timeout",
                        duration(),
                        "5s",
                        before + "how long a request waits when all connections are in use."));
        keys.add(
                optional(
                        "reuse",
                        flag(),
                        "true",
                        before + "whether a connection carries more than one request."));
        keys.add(
                optional(
                        "proxy-protocol",
                        choice(List.of("none", "v1", "v2")),
                        "none",
                        before
                                + "the PROXY protocol, which tells the peer of the client before"
                                + " the request; a connection carries one request then. For"
                                + " members without TLS and HTTP/2."));
        keys.addAll(timeoutKeys(before));
        keys.addAll(failureKeys(before));
        keys.addAll(protocolKeys(before));
        return keys;
    }

    private static List<Shape.Key> timeoutKeys(String before) {
        return List.of(
                optional("connect-timeout", duration(), "5s", before + "to connect."),
                optional(
                        "reply-timeout",
                        duration(),
                        "60s",
                        before
                                + "response timeout: how long a response may take to begin; 0s ="
                                + " no limit."),
                optional(
                        "io-timeout",
                        duration(),
                        "60s",
                        before + "timeout of sending, and between two parts of a response."),
                optional(
                        "ping-timeout",
                        duration(),
                        "10s",
                        before + "how long the answer to a ping may take."));
    }

    private static List<Shape.Key> failureKeys(String before) {
        return List.of(
                optional(
                        "retries",
                        whole(1, 100),
                        "1",
                        before + "how often it is tried to connect to it."),
                optional("retry-interval", duration(), "100ms", before + "pause between attempts."),
                optional(
                        "recover",
                        duration(),
                        "60s",
                        before + "how long it stays in error before it is tried again."),
                optional(
                        "fail-statuses",
                        new Items("statuses", whole(100, 599), 0),
                        "none",
                        before + "statuses that put it into error; the client gets 503."),
                optional(
                        "soft-fail-statuses",
                        new Items("statuses", whole(100, 599), 0),
                        "none",
                        before + "statuses with which the client gets 503."),
                optional(
                        "recovery-options",
                        whole(0, 31),
                        "0",
                        before
                                + "mod_jk's bits: 1 no other peer once the request is sent, 2 none"
                                + " once the answer has begun, 4 close when the client fails, 8"
                                + " always recover HEAD, 16 always GET."));
    }

    private static List<Shape.Key> protocolKeys(String before) {
        return List.of(
                optional("secret", text("a text").asSecret(), "none", before + "AJP13's secret."),
                optional(
                        "packet-size",
                        whole(8192, 65_536),
                        "8192",
                        before + "bytes of an AJP13 packet; the container must be told the same."),
                optional(
                        "pings",
                        new Items("pings", choice(List.of("connect", "prepost", "interval")), 0),
                        "none",
                        before
                                + "when AJP13's CPING or HTTP/2's PING is sent: after connecting,"
                                + " before each request, on connections that idle. An HTTP/1.1"
                                + " member is asked for 100 Continue before content (prepost);"
                                + " without it within ping-timeout another gets the request."),
                optional(
                        "verify",
                        flag(),
                        "true",
                        before + "whether the certificate of an https or h2 peer is checked."),
                optional(
                        "trust",
                        Shape.path(),
                        "the JDK's authorities",
                        before + "PEM file of the authorities that sign its certificate."),
                optional(
                        "server-name",
                        text("a host name"),
                        "the host of the url",
                        before + "name that its certificate must be for."),
                optional(
                        "certificates",
                        TlsKeys.certificates(),
                        "none",
                        before
                                + "certificates of the gateway for https and h2 peers that ask for"
                                + " one: the first that an authority has signed whom the peer"
                                + " names. Changed files are taken."));
    }

    private static Section health() {
        List<Shape.Key> keys =
                new ArrayList<>(
                        List.of(
                                optional(
                                        "ping",
                                        choice(List.of("tcp", "cping")),
                                        "tcp",
                                        "A connection, or AJP13's CPING; part of any other check."),
                                optional("get", path(), "none", "Asks for this with GET."),
                                optional("head", path(), "none", "Asks for this with HEAD."),
                                optional("options", path(), "none", "Asks for this with OPTIONS."),
                                optional(
                                        "host",
                                        text("a host name"),
                                        "the peer's",
                                        "`Host` to send."),
                                optional(
                                        "port",
                                        whole(1, 65_535),
                                        "the member's",
                                        "Asks by HTTP at this port of the member's host, whatever"
                                                + " the member speaks, as at `admin` of a Margay."),
                                optional("every", duration(), "30s", "How often."),
                                optional(
                                        "passes",
                                        whole(1, 1000),
                                        "1",
                                        "Successful checks in a row after which a peer is used"
                                                + " again."),
                                optional(
                                        "fails",
                                        whole(1, 1000),
                                        "1",
                                        "Failed checks in a row after which a peer is not used any"
                                                + " more."),
                                optional(
                                        "timeout", duration(), "5s", "Timeout of the whole check."),
                                optional(
                                        "answers",
                                        new Named(
                                                "other good answers",
                                                "NAME",
                                                text("a name"),
                                                new Section("an answer", answer(), List.of())),
                                        "none",
                                        "Among which `balancer-manager` can choose.")));
        keys.addAll(answer());
        return new Section("the health checks", keys, List.of());
    }

    private static List<Shape.Key> answer() {
        return List.of(
                optional(
                        "status",
                        text("a status or a range, as in 200 or 200-399", UpstreamShape::statuses),
                        "200-399",
                        "Statuses that are good."),
                optional("body", text("a text"), "any", "What a good body contains."));
    }

    private static Shape.Scalar path() {
        return text(
                "a path, as in /healthz",
                text -> {
                    if (!text.startsWith("/")) {
                        throw new IllegalArgumentException("it must begin with \"/\"");
                    }
                    return text;
                });
    }

    /// A range of statuses. Immutable.
    record Statuses(int from, int to) {}

    private static Statuses statuses(String text) {
        if (!text.matches("[1-5][0-9][0-9](-[1-5][0-9][0-9])?")) {
            throw new IllegalArgumentException("");
        }
        int from = Integer.parseInt(text.substring(0, 3));
        return new Statuses(from, text.length() == 3 ? from : Integer.parseInt(text.substring(4)));
    }

    /// The keys of a route that belong to `gateway`.
    static List<Shape.Key> routeKeys() {
        return List.of(
                optional("gateway", name(), "", "Name of the upstream that answers."),
                optional(
                        "host-header",
                        choice(List.of("keep", "peer")),
                        "keep",
                        "With `gateway`: whether peers see the client's Host or their own."),
                optional(
                        "forwarded",
                        choice(List.of("x-forwarded", "standard", "both", "none")),
                        "x-forwarded",
                        "With `gateway`: which fields tell peers of the client:"
                                + " X-Forwarded-*, Forwarded (RFC 7239)."),
                optional(
                        "trust-forwarded",
                        ChangeShape.networks(),
                        "none",
                        "With `gateway`: front ends whose forwarding fields are believed; those"
                                + " of others are dropped."),
                optional(
                        "upgrade",
                        flag(),
                        "true",
                        "With `gateway`: whether WebSocket is passed on."),
                tlsFields("With `gateway`: "));
    }

    /// Which fields tell of TLS.
    static Shape.Key tlsFields(String before) {
        return optional(
                "tls-fields",
                new Shape.Named(
                        "fields that tell of TLS",
                        "FIELD",
                        text("a field name", UpstreamShape::fieldName),
                        choice(
                                Arrays.stream(TlsAttribute.values())
                                        .map(TlsAttribute::word)
                                        .toList())),
                "none",
                before
                        + "fields that tell peers of the TLS session with the client, its"
                        + " certificate above all; what clients send so is dropped.");
    }

    private static String fieldName(String text) {
        if (!text.matches("[A-Za-z0-9_-]{1,64}")) {
            throw new IllegalArgumentException("letters, digits, \"-\" and \"_\" only");
        }
        return text;
    }

    static Map<String, TlsAttribute> tlsFields(Settings section) {
        Map<String, TlsAttribute> fields = new LinkedHashMap<>();
        section.texts("tls-fields")
                .forEach((name, word) ->
                        fields.put(name, TlsAttribute.of(word).orElse(TlsAttribute.NONE)));
        return fields;
    }

    /// Complains of keys of gateways in another route.
    static void strangers(Settings section, List<Problem> problems) {
        for (String key : OF_ROUTES) {
            if (section.has(key)) {
                problems.add(
                        new Problem(section.position(key), "\"" + key + "\" belongs to a gateway"));
            }
        }
    }
}
