package io.margay.app.config.members;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.shared.SharedKeys;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.gateway.access.match.Network;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.MemberSource.Addresses;
import io.margay.gateway.config.MemberSource.Etcd;
import io.margay.gateway.config.MemberSource.Family;
import io.margay.gateway.config.MemberSource.Kubernetes;
import io.margay.gateway.config.MemberSource.MemberFile;
import io.margay.gateway.config.MemberSource.Registered;
import io.margay.gateway.config.MemberSource.Services;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The keys of members that come and go. Stateless.
public final class MemberSourceKeys {
    /// What a member is, or where members are named, with the keys that can be said beside it of
    /// those that are not for all of them.
    static final Map<String, Set<String>> PLACES = places();

    /// A member of which nothing is known.
    static final PeerConfig NOBODY =
            PeerConfig.of("-", PeerAddress.of(PeerScheme.HTTP, "localhost", 80))
                    .withShare(PeerConfig.Share.defaults(""));

    private static final int DNS_PORT = 53;
    private static final Duration LOCAL_EVERY = Duration.ofSeconds(1);
    private static final Duration HOLD = Duration.ofSeconds(30);

    /// A third of the lease that members have by default, and the time of a call.
    private static final Duration FIRST_MEMBER = Duration.ofMillis(3_500);

    private static final Path SERVICE_ACCOUNT =
            Path.of("/var/run/secrets/kubernetes.io/serviceaccount/token");

    private static final Form<String> DNS_NAME =
            matching("a name of the DNS", text -> text.matches("[A-Za-z0-9_.-]{1,253}"));
    private static final Predicate<String> IS_LABEL =
            Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?").asMatchPredicate();
    private static final Form<String> LABEL = matching("a name", IS_LABEL);

    /// The URL of a server, without a query.
    static final Form<URI> API = parsed("a URL", MemberSourceKeys::api);

    /// The address of a name server.
    public static final Form<InetSocketAddress> NAME_SERVER =
            parsed(
                    "an address, as in 10.0.0.2 or [::1]:53",
                    MemberSourceKeys::nameServer,
                    MemberSourceKeys::written);

    private static final Keys<Registered> REGISTERED =
            Binding.of(
                            "how members register",
                            new Registered(Path.of("/token"), List.of(), FIRST_MEMBER))
                    .shape("through", Shape.text("a URL, as in redis://host:6379"))
                    .form(
                            "from",
                            listOrOne(
                                    "networks",
                                    matching(
                                            "an address or network, as in 10.0.0.0/8",
                                            text -> Network.parse(text).isPresent()),
                                    1))
                    .keys(
                            """
                            token-file [required]: File with the token (16 characters or more) that
                              allows registering members here, and nothing else.
                            through [at `admin`, by HTTP]: Valkey or Redis, where members register
                              and each gateway looks; written as `url` of `sessions`; `shared` is
                              that of `shared`. It needs `from`.
                            from (networks) [the sender's own address]: Networks whose addresses may
                              be registered.
                            wait (patience) [3500ms: a third of a lease of 10 s]: How long a start
                              without known members waits for the first before the listeners open: a
                              third of the lease.
                            """);

    private static final Keys<Kubernetes> KUBERNETES =
            Binding.of(
                            "a service of Kubernetes",
                            new Kubernetes(
                                    URI.create("https://kubernetes.default.svc"),
                                    "",
                                    "a",
                                    "",
                                    Family.ANY,
                                    SERVICE_ACCOUNT,
                                    null),
                            MemberSourceKeys::trusting)
                    .form("service", LABEL)
                    .form("namespace", LABEL)
                    .form("port", matching("a name or a number", IS_LABEL))
                    .form("api", API)
                    .keys(
                            """
                            service [required]: The service, whose EndpointSlices name the pods.
                            namespace [that of this pod]: Its namespace.
                            port [the only one]: Port of the pods.
                            api: The API server.
                            token-file [=that of this pod's service account]: Token of a service
                              account that may list and watch `endpointslices`; read again as it
                              changes.
                            trust [`ca.crt` beside the token, if there is one]: PEM file of the
                              authorities of the API server.
                            """);

    private static final Keys<Etcd> ETCD =
            Binding.of(
                            "keys of etcd",
                            new Etcd(List.of(URI.create("https://a")), "-", "", null, null))
                    .form("servers", listOrOne("servers", API, 1))
                    .keys(
                            """
                            servers [required]: Client URLs of the cluster; the next is asked when
                              one fails.
                            prefix <a text, as in /shop/> [required]: Prefix of the keys; the rest
                              is the member's name.
                            user <a name>: A user who may read them.
                            password-file: File with the password of the user.
                            trust [the JDK's authorities]: PEM file of the authorities of the
                              servers.
                            """)
                    .wrong(
                            "servers",
                            etcd -> etcd.has("user") != etcd.has("password-file"),
                            "\"user\" and \"password-file\" belong together");

    /// Where members are named that come and go. What is said beside them holds for each.
    public static final Keys<MemberSource> SOURCE =
            Binding.of(
                            "a source",
                            new MemberSource(
                                    ETCD.defaults(), NOBODY, Duration.ZERO, Duration.ZERO, HOLD))
                    .form("file", path().as(file -> new MemberFile(file, false), MemberFile::path))
                    .form(
                            "dns",
                            DNS_NAME.as(
                                    name -> new Addresses(name, 0, Family.ANY, List.of()),
                                    Addresses::name))
                    .form(
                            "srv",
                            DNS_NAME.as(
                                    name -> new Services(name, Family.ANY, List.of()),
                                    Services::name))
                    .form("registered", section(REGISTERED))
                    .form("kubernetes", section(KUBERNETES))
                    .form("etcd", section(ETCD))
                    .form(
                            "port",
                            whole(1, 65_535),
                            one ->
                                    one.place() instanceof Addresses(var _, int port, var _, var _)
                                                    && port > 0
                                            ? port
                                            : null)
                    .form(
                            "scheme",
                            word(PeerScheme.values()),
                            one -> one.pattern().address().scheme(),
                            (to, scheme) ->
                                    to.set(
                                            "pattern",
                                            to.build()
                                                    .pattern()
                                                    .withAddress(
                                                            PeerAddress.of(
                                                                    scheme, "localhost", 80))))
                    .form("family", word(Family.values()))
                    .form(
                            "resolvers",
                            listOrOne("addresses", NAME_SERVER, 1),
                            MemberSourceKeys::resolvers)
                    .keys(
                            """
                            file (place MemberFile): A file with a member per line: its URL, then
                              `name=`, `route=`, `weight=` and other options. Changes are picked up.
                            dns (place Addresses): A DNS name whose addresses (A, AAAA) are the
                              members, all with `port`.
                            srv (place Services): A service such as `_http._tcp.app.internal`, whose
                              SRV records list members with ports, weights and priorities.
                            registered (place Registered): Members that register themselves with a
                              token, as servers with `register` do.
                            kubernetes (place Kubernetes): The pods of a Kubernetes service,
                              watched.
                            etcd (place Etcd): Keys of etcd, watched; each value is a line as in
                              `file`.
                            port (place.port) [none, and needed with `dns`]: Their port.
                            scheme: With `dns`, `srv` and `kubernetes`: what they speak.
                            family (place.family) [any]: With `dns`, `srv` and `kubernetes`: which
                              addresses are used. With `kubernetes`, `any` prefers IPv4.
                            resolvers (place.resolvers) [those of the system]: With `dns` and `srv`:
                              servers that are asked.
                            every [=1s with `file`, else the TTL of the answers]: How often the
                              source is read.
                            drain: How long a member that has left its source still gets requests of
                              its sessions.
                            hold: How long members stay when the source lists none: the name does
                              not exist, all leases have ended, no pods or keys are left. A DNS
                              server that does not answer changes nothing.
                            """)
                    .wrong(
                            "dns",
                            member -> member.has("dns") && !member.has("port"),
                            "\"dns\" needs a \"port\"");

    private MemberSourceKeys() {}

    private static Map<String, Set<String>> places() {
        Map<String, Set<String>> places = new LinkedHashMap<>();
        """
        url name route
        file every drain
        dns scheme family resolvers every drain hold port
        srv scheme family resolvers every drain hold
        registered hold
        kubernetes scheme family drain hold
        etcd drain hold
        """
                .lines()
                .map(line -> List.of(line.split(" ")))
                .forEach(words ->
                        places.put(words.getFirst(), Set.copyOf(words.subList(1, words.size()))));
        return places;
    }

    /// Where the members of an upstream are named.
    ///
    /// @param member an item of `members`
    /// @param pattern what its members are beside name and address
    /// @param upstream whose members are read
    /// @return empty where the item is a member itself
    static Optional<MemberSource> read(
            Settings root,
            UpstreamConfig upstream,
            Settings member,
            Supplier<PeerConfig> pattern,
            Reading reading) {
        String kind = PLACES.keySet().stream().filter(member::has).findFirst().orElse("url");
        PLACES.values().stream()
                .flatMap(Set::stream)
                .distinct()
                .sorted()
                .filter(key ->
                        member.has(key) && !PLACES.getOrDefault(kind, Set.of()).contains(key))
                .forEach(key ->
                        reading.problem(
                                member, key, "\"" + key + "\" does not go with \"" + kind + "\""));
        if (kind.equals("url")) {
            return Optional.empty();
        }
        MemberSource otherwise =
                new MemberSource(
                        ETCD.defaults(), pattern.get(), Duration.ZERO, Duration.ZERO, HOLD);
        MemberSource read = SOURCE.read(member, otherwise, reading);
        Draft<MemberSource> made = new Draft<>(read);
        if (read.every().isZero() && (kind.equals("file") || kind.equals("registered"))) {
            made.set("every", LOCAL_EVERY);
        }
        if (read.place() instanceof MemberFile(Path file, boolean _)) {
            made.set("place", new MemberFile(file, upstream.dialect().likeModJk()));
        } else if (read.place()
                instanceof Registered(Path token, List<String> networks, Duration _)) {
            Settings registered = member.section("registered").orElse(member);
            SharedKeys.url(root, registered, "through", reading)
                    .ifPresent(through -> {
                        if (networks.isEmpty()) {
                            reading.problem(registered, "through", "\"through\" needs a \"from\"");
                        }
                        made.set(
                                "place",
                                new MemberSource.Registry(
                                        through, upstream.name(), token, networks));
                    });
        }
        return Optional.of(made.build());
    }

    private static @Nullable List<InetSocketAddress> resolvers(MemberSource source) {
        List<InetSocketAddress> servers =
                switch (source.place()) {
                    case Addresses one -> one.resolvers();
                    case Services one -> one.resolvers();
                    default -> List.of();
                };
        return servers.isEmpty() ? null : servers;
    }

    /// The authorities of the API stand beside the token where nothing else is said.
    private static Kubernetes trusting(Draft<Kubernetes> of) {
        Path beside = of.build().tokenFile().resolveSibling("ca.crt");
        if (of.build().trust() == null && Files.exists(beside)) {
            of.set("trust", beside);
        }
        return of.build();
    }

    private static String written(InetSocketAddress server) {
        String host = server.getHostString();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + server.getPort();
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

    private static URI api(String text) {
        URI uri = URI.create(text);
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!http || uri.getHost() == null || uri.getQuery() != null || uri.getUserInfo() != null) {
            throw new IllegalArgumentException("");
        }
        return uri;
    }
}
